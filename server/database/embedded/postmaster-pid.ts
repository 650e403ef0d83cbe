import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { startTimeOf } from './process-identity.ts'

/**
 * Returns the process id of the server that runs on a cluster, or null. `postmaster.pid` outlives a killed server and its
 * id may have been reused, so the process must have the cluster as its working directory.
 */
export function runningServer(clusterDir: string): number | null {
  const pid = writtenPid(clusterDir)
  return pid !== null && startTimeOf(pid) !== null && runsIn(pid, clusterDir) ? pid : null
}

/**
 * Removes the lock files of a dead server whose process id was reused: PostgreSQL checks only the id and would refuse to
 * start. If the id is free the files stay, because PostgreSQL reads from them what the dead server left behind.
 */
export function removeStalePid(clusterDir: string, socketDir: string): void {
  const pid = writtenPid(clusterDir)
  if (pid === null || startTimeOf(pid) === null || runningServer(clusterDir) !== null) return
  rmSync(path.join(clusterDir, 'postmaster.pid'), { force: true })
  rmSync(path.join(socketDir, '.s.PGSQL.5432.lock'), { force: true })
}

function writtenPid(clusterDir: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path.join(clusterDir, 'postmaster.pid'), 'utf8'), 10)
    return pid > 0 ? pid : null
  } catch {
    return null
  }
}

function runsIn(pid: number, clusterDir: string): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(clusterDir)
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && command.includes(clusterDir)
  } catch {
    return false
  }
}
