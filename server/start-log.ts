import { hostname } from 'node:os'
import type { Config } from './config.ts'

const INFO = 30

/**
 * Returns the log of the start and the stop, before and after there is an HTTP server: in production lines of JSON like
 * those of requests, otherwise text for a terminal.
 */
export function startLog({ production }: Config): (message: string) => void {
  const origin = { pid: process.pid, hostname: hostname() }
  return (message) => {
    const line = production
      ? JSON.stringify({ level: INFO, time: Date.now(), ...origin, msg: message })
      : message
    process.stdout.write(`${line}\n`)
  }
}
