import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { PgBoss } from 'pg-boss'
import type { Context } from '#server/context.ts'
import { traceJob } from '#server/tracing.ts'
import { deliverDue } from '#server/webhooks/deliver.ts'
import { dueEndpoints } from '#server/webhooks/queries.ts'

/** The queue of endpoints with deliveries that are due. Its policy admits one job per endpoint at a time, of all instances. */
export const WEBHOOK_QUEUE = 'webhooks'
const IDLE_MS = 250
/** Endpoints that an instance delivers to at the same time. */
const ENDPOINTS_PER_INSTANCE = 4

/**
 * Makes a job for each endpoint with deliveries that are due, and runs such jobs, until it is stopped. A run that dies is
 * retried when its heartbeat is missed; a delivery whose outcome is not stored is due again when its claim ends, so each is
 * sent at least once.
 */
export async function startWebhookDispatcher(
  boss: PgBoss,
  context: Context,
  log: FastifyBaseLogger,
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  const { signal } = stopping

  const worker = await boss.work<{ endpoint: string }>(
    WEBHOOK_QUEUE,
    { pollingIntervalSeconds: 1, localConcurrency: ENDPOINTS_PER_INSTANCE },
    async ([job]) => ({
      attempts:
        job === undefined
          ? 0
          : await traceJob(WEBHOOK_QUEUE, () => deliverDue(context, job.data.endpoint, signal)),
    }),
  )

  async function dispatch(): Promise<void> {
    let failing = false
    while (!signal.aborted) {
      try {
        const due = await dueEndpoints(context.database)
        for (const { id } of due) {
          const job = await boss.send(WEBHOOK_QUEUE, { endpoint: id }, { singletonKey: id })
          if (job !== null) boss.notifyWorker(worker)
        }
        failing = false
      } catch (error) {
        if (!failing) log.warn({ err: error }, 'webhooks could not be dispatched; retrying')
        failing = true
      }
      await sleep(failing ? IDLE_MS * 5 : IDLE_MS, undefined, { signal }).catch(() => {})
    }
  }
  const dispatching = dispatch()

  return {
    async stop() {
      stopping.abort()
      await dispatching
    },
  }
}
