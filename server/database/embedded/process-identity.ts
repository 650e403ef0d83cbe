import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Returns when a process started, in the system's unit, or null when it does not run (a zombie does not). Process ids are
 * reused; id and start time together identify a process.
 */
export function startTimeOf(pid: number): string | null {
  return process.platform === 'linux' ? startInProc(pid) : startInPs(pid)
}

function startInProc(pid: number): string | null {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
  // The command name, in parentheses, may contain spaces; the fields after it do not.
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
