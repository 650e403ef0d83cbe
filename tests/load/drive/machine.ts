import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const TICKS = 100 // a second, on every Linux this runs on

/** What a measured stretch took: percent of one core, and resident megabytes at its end. */
export type Spent = { serverCpu: number; databaseCpu: number; othersCpu: number; serverMb: number }

/**
 * Watches the server and its database (ids of the parent processes; children count as theirs). `stop`
 * returns what was spent since. `others` is what the rest of the machine took, the load generator included.
 */
export function watch(serverPid: number, postgresPid: number): { stop(): Spent } {
  const before = {
    at: performance.now(),
    server: ticksOf(serverPid),
    database: ticksOf(postgresPid),
    all: busyTicks(),
  }
  return {
    stop() {
      const percent = (ticks: number) =>
        Math.round((ticks / TICKS / ((performance.now() - before.at) / 1000)) * 100)
      const server = percent(ticksOf(serverPid) - before.server)
      const database = percent(ticksOf(postgresPid) - before.database)
      const all = percent(busyTicks() - before.all)
      return {
        serverCpu: server,
        databaseCpu: database,
        othersCpu: Math.max(0, all - server - database),
        serverMb: megabytesOf(serverPid),
      }
    },
  }
}

export const cores = availableParallelism()

/** Processor time of a process, its children, and those that have ended. */
function ticksOf(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => {
    const [, , , , , , , , , , , user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = statOf(one)
    return sum + user + system + userOfEnded + systemOfEnded
  }, 0)
}

/** The fields behind a process's name, numbered from 0. */
function statOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
  } catch {
    return []
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && statOf(pid)[1] === parent)
}

/** Returns the processor time of one process in nanoseconds. */
export function nanosecondsOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0])
}

function busyTicks(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return user + nice + system + irq + softIrq + steal
}

export function megabytesOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
