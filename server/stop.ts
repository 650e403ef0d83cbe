import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Jobs } from './jobs/start.ts'

/** After the drain, the process ends within this time even if something does not finish. */
const STOP_MAX_MS = 9_000

/** What runs when the start has finished. `close` closes the database and the rest. */
export type Started = { jobs: Jobs; close: () => Promise<void> }

/**
 * Stops the server in order on a signal. SIGTERM, which a process supervisor sends, drains first: `/readyz` fails and the
 * server serves on, so that the load balancer notices. SIGINT, which Ctrl-C sends, does not wait, also after a SIGTERM.
 * Further signals change nothing: npm passes on a Ctrl-C that the server receives itself. After a signal
 * during the start, the start continues while the server drains.
 */
export function stopOnSignals(
  app: FastifyInstance,
  started: Promise<Started>,
  config: Config,
  log: (line: string) => void,
) {
  const skipDrain = new AbortController()
  let stopping = false

  async function stop(why: string): Promise<void> {
    if (stopping) return
    stopping = true
    app.draining = true
    if (!skipDrain.signal.aborted && config.drainSeconds > 0) {
      log(`Draining (${why}): /readyz fails, and requests are served for ${config.drainSeconds} s.`)
      await sleep(config.drainSeconds * 1000, undefined, { signal: skipDrain.signal }).catch(() => {})
    }
    log(`Stopping (${why}): finishing requests in flight.`)
    setTimeout(() => {
      log(`Ended after ${STOP_MAX_MS / 1000} s, with work that did not finish.`)
      process.exit(1)
    }, STOP_MAX_MS).unref()
    const { jobs, close } = await started
    await Promise.all([app.close(), jobs.stop()])
    await close()
    log('Stopped.')
    process.exit(0)
  }

  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => {
    skipDrain.abort()
    void stop('SIGINT')
  })
  if (config.startedByNpm) {
    // The server would otherwise keep the port and the database after npm is killed.
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid === parent) return
      skipDrain.abort()
      void stop('npm has exited')
    }, 500).unref()
  }
}
