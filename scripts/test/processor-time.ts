import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Linux counts the time of processes in hundredths of a second. */
const TICKS = 100
/** The fields of /proc/self/stat after the name that hold the time of children that have ended. */
const OF_CHILDREN = [13, 14]

/**
 * Returns the seconds of processor time that the ended children of this process have used, theirs included; 0 where
 * there is no /proc. Node.js has only the time of the process itself.
 */
export function childSeconds(): number {
  let stat: string
  try {
    stat = readFileSync('/proc/self/stat', 'latin1')
  } catch {
    return 0
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return OF_CHILDREN.reduce((sum, field) => sum + Number(fields[field]), 0) / TICKS
}

/** Returns the seconds of processor time that this process and its ended children have used. */
export function usedSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childSeconds()
}

/** Returns the seconds that all cores together have been busy since the machine started, with anything. */
export function machineSeconds(): number {
  const busy = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq)
  return busy.reduce((sum, ms) => sum + ms, 0) / 1000
}
