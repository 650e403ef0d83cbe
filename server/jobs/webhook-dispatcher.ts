import type { FastifyBaseLogger } from 'fastify'
import type { PgBoss } from 'pg-boss'
import type { Context } from '#server/context.ts'
import { startPolling } from '#server/polling.ts'
import { traceJob } from '#server/tracing.ts'
import { deliverDue } from '#server/webhooks/deliver.ts'
import { dueEndpoints } from '#server/webhooks/queries.ts'

/** The queue of endpoints with deliveries that are due. Its policy admits one job per endpoint at a time, of all instances. */
export const WEBHOOK_QUEUE = 'webhooks'
const IDLE_MS = 250
/** Endpoints that an instance delivers to at the same time. */
const ENDPOINTS_PER_INSTANCE = 4
/** A run begins no further requests after this time, so that endpoints take turns. */
export const TURN_MS = 5_000

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

  const worker = await boss.work<{ endpoint: string }>(
    WEBHOOK_QUEUE,
    { pollingIntervalSeconds: 1, localConcurrency: ENDPOINTS_PER_INSTANCE },
    async ([job]) => {
      const endsAt = performance.now() + TURN_MS
      const deliver = ({ endpoint }: { endpoint: string }) =>
        traceJob(WEBHOOK_QUEUE, () => deliverDue(context, endpoint, stopping.signal, endsAt))
      return { attempts: job === undefined ? 0 : await deliver(job.data) }
    },
  )

  let isFailing = false
  const polling = startPolling(
    async () => {
      try {
        const due = await dueEndpoints(context.database)
        for (const { id } of due) {
          const job = await boss.send(WEBHOOK_QUEUE, { endpoint: id }, { singletonKey: id })
          if (job !== null) boss.notifyWorker(worker)
        }
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'webhooks could not be dispatched; retrying')
        isFailing = true
      }
    },
    { idleMs: () => (isFailing ? IDLE_MS * 5 : IDLE_MS), gapMs: 0 },
  )

  return {
    async stop() {
      stopping.abort()
      await polling.stop()
    },
  }
}
