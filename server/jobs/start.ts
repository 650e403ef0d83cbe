import type { FastifyBaseLogger } from 'fastify'
import { PgBoss } from 'pg-boss'
import type { Context } from '#server/context.ts'
import type { Tx } from '#server/database/database.ts'
import type { RelayedBatch } from '#server/notifications/relay.ts'
import { traceJob } from '#server/tracing.ts'
import { MAIL_DIGEST_QUEUE, MAIL_QUEUE, mailJobs, NOTIFICATION_MAIL_QUEUE } from './mail-jobs.ts'
import { startMailWorkers } from './mail-workers.ts'
import { startOutboxRelay } from './outbox-relay.ts'
import { resetFutureJobs } from './pg-boss.ts'
import { PUSH_QUEUE, pushJobs, startPushWorker } from './push-jobs.ts'
import { RETIRED_JOBS, SCHEDULED_JOBS, type ScheduledJob } from './schedule.ts'
import { startWebhookDispatcher, WEBHOOK_QUEUE } from './webhook-dispatcher.ts'

const DAY = 86_400
/** A job is retried when its instance has sent no heartbeat for this long. */
const HEARTBEAT_SECONDS = 15
const STOP_TIMEOUT_MS = 7_000
const CLOCK_CHECK_MS = 60_000

export type Jobs = {
  boss: PgBoss
  /** Relays what was written at once. */
  wakeRelay(): void
  /** Finishes running jobs. Jobs that do not finish in time are retried by the next instance. */
  stop(): Promise<void>
}

/**
 * Starts the background jobs: recurring jobs, mail, notifications on devices, webhooks and the outbox relay. Any number of instances share them through the
 * database (docs/background-jobs.md).
 */
export async function startJobs(context: Context, log: FastifyBaseLogger): Promise<Jobs> {
  const { database } = context
  const boss = new PgBoss({
    connectionString: database.pool.options.connectionString ?? '',
    application_name: 'tallywork-jobs',
    schema: 'jobs',
    migrate: false,
    reindex: false,
    max: 3,
    schedule: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  })
  let stopping = false
  // While stopping, pg-boss reports the connections that it closed itself.
  boss.on('error', (error) => {
    if (!stopping) log.warn({ err: error }, 'the job runner reported an error')
  })
  await boss.start()
  for (const name of RETIRED_JOBS) await boss.deleteQueue(name)

  const timers = await Promise.all(SCHEDULED_JOBS.map((job) => startRecurring(boss, job, context, log)))
  const checkClock = () =>
    resetFutureJobs(database).catch((error) =>
      log.warn({ err: error }, 'jobs in the future could not be reset'),
    )
  timers.push(setInterval(() => void checkClock(), CLOCK_CHECK_MS))

  const retries = { retryLimit: 10, retryDelay: 5, retryBackoff: true, retryDelayMax: 4 * 3600 }
  const limits = { heartbeatSeconds: HEARTBEAT_SECONDS, expireInSeconds: 120, deleteAfterSeconds: 14 * DAY }
  await createOrUpdateQueue(boss, MAIL_QUEUE, { policy: 'standard', ...retries, ...limits })
  // The emails of these wait for their turn. A job that expires meanwhile is retried, and its email sent twice.
  const limitsOfWaiting = { ...limits, expireInSeconds: RUN_SECONDS_MAX }
  await createOrUpdateQueue(boss, MAIL_DIGEST_QUEUE, { policy: 'short', ...retries, ...limitsOfWaiting })
  await createOrUpdateQueue(boss, NOTIFICATION_MAIL_QUEUE, {
    policy: 'standard',
    ...retries,
    ...limitsOfWaiting,
  })
  const mail = await startMailWorkers(boss, context, log)

  await createOrUpdateQueue(boss, PUSH_QUEUE, {
    policy: 'standard',
    retryLimit: 5,
    retryDelay: 10,
    retryBackoff: true,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: 120,
    deleteAfterSeconds: DAY,
  })
  await startPushWorker(boss, context, log)

  await createOrUpdateQueue(boss, WEBHOOK_QUEUE, {
    policy: 'exclusive',
    retryLimit: 3,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: RUN_SECONDS_MAX,
    deleteAfterSeconds: 600,
  })
  const webhooks = await startWebhookDispatcher(boss, context, log)
  const createJobs = async (tx: Tx, moved: RelayedBatch) => {
    await mailJobs(boss, tx, moved)
    await pushJobs(boss, tx, moved)
  }
  const relay = startOutboxRelay(database, createJobs, log)

  return {
    boss,
    wakeRelay: relay.wake,
    async stop() {
      stopping = true
      for (const timer of timers) clearInterval(timer)
      mail.stop()
      await Promise.all([relay.stop(), webhooks.stop()])
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
      mail.close()
    },
  }
}

/** Starts a recurring job with its own queue, which accepts one job per time slot and runs one at a time. */
async function startRecurring(
  boss: PgBoss,
  { name, every, run }: ScheduledJob,
  context: Context,
  log: FastifyBaseLogger,
): Promise<NodeJS.Timeout> {
  await createOrUpdateQueue(boss, name, {
    policy: 'exclusive',
    retryLimit: 3,
    retryDelay: 5,
    retryBackoff: true,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: RUN_SECONDS_MAX,
    deleteAfterSeconds: every < 600 ? 3600 : 7 * DAY,
  })
  const worker = await boss.work(name, { pollingIntervalSeconds: 30 }, async () => {
    try {
      return { result: (await traceJob(name, () => run(context))) ?? null }
    } catch (error) {
      log.error({ err: error, job: name }, 'a job failed')
      throw error
    }
  })
  const schedule = async () => {
    try {
      const id = await boss.send(name, null, { singletonSeconds: every })
      if (id !== null) boss.notifyWorker(worker)
    } catch (error) {
      log.warn({ err: error, job: name }, 'a job could not be scheduled')
    }
  }
  await schedule()
  return setInterval(() => void schedule(), every * 1000)
}

const RUN_SECONDS_MAX = 3600

/** Creates a queue, or updates it to the settings of this version. */
async function createOrUpdateQueue(boss: PgBoss, name: string, options: QueueSettings): Promise<void> {
  await boss.createQueue(name, options)
  const { policy: _, ...changeable } = options
  await boss.updateQueue(name, changeable)
}

type QueueSettings = NonNullable<Parameters<PgBoss['createQueue']>[1]>
