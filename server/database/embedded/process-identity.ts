import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * When a process started, in whatever unit the system counts, or null when it does not run (a zombie does not).
 * A number alone names nobody, because numbers are used again; number and start time together do.
 */
export function startOf(pid: number): string | null {
  return process.platform === 'linux' ? startInProc(pid) : startInPs(pid)
}

function startInProc(pid: number): string | null {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
  // The command's name, in parentheses, may hold spaces; what follows it does not.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return null
  return rest[18] ?? null
}

function startInPs(pid: number): string | null {
  try {
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '')
  } catch {
    return null
  }
}
