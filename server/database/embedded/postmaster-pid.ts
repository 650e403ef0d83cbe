import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { startOf } from './process-identity.ts'

/**
 * The process number of the server that runs on a cluster, or null. The file `postmaster.pid` outlives a server that
 * was killed and its number may by now be anybody's, so what counts is what that process is: a server works inside
 * its cluster.
 */
export function runningServer(clusterDir: string): number | null {
  const pid = writtenPid(clusterDir)
  return pid !== null && startOf(pid) !== null && worksIn(pid, clusterDir) ? pid : null
}

/**
 * Removes the lock files of a dead server whose number belongs to another process today: PostgreSQL, which looks at
 * the number alone, would refuse to start. With a number that is free it starts, and these files stay, because it
 * finds in them what the dead server left behind.
 */
export function removeStalePid(clusterDir: string, socketDir: string): void {
  const pid = writtenPid(clusterDir)
  if (pid === null || startOf(pid) === null || runningServer(clusterDir) !== null) return
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

function worksIn(pid: number, clusterDir: string): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(clusterDir)
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && command.includes(clusterDir)
  } catch {
    return false
  }
}
