import type { FastifyBaseLogger } from 'fastify'
import { type Job, PgBoss } from 'pg-boss'
import type { Context } from '#server/context.ts'
import { deliver, type MailJob } from '#server/mail/deliver.ts'
import { openMailer } from '#server/mail/mailer.ts'
import { MAIL_DIGEST, MAIL_QUEUE, mailJobs } from './mail-jobs.ts'
import { startOutboxRelay } from './outbox-relay.ts'
import { removeFutureJobs } from './pg-boss.ts'
import { SCHEDULED_JOBS, type ScheduledJob } from './schedule.ts'

const DAY = 86_400
/** A job whose instance died is taken up again when its heartbeat has been missing this long. */
const HEARTBEAT_SECONDS = 15
const STOP_MS = 10_000
const CLOCK_MS = 60_000

export type Jobs = {
  boss: PgBoss
  /** Ends what is under way in order; what does not end in time is taken up again by whoever runs next. */
  stop(): Promise<void>
}

/**
 * Starts the runner of background jobs: what happens by the clock, mail, and the relay of the outbox. Any number of
 * instances share the work through the database.
 */
export async function startJobs(context: Context, log: FastifyBaseLogger): Promise<Jobs> {
  const { database, config } = context
  const boss = new PgBoss({
    connectionString: database.pool.options.connectionString ?? '',
    application_name: 'tallywork-jobs',
    schema: 'jobs',
    max: 3,
    schedule: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  })
  let stopping = false
  // A runner that stops tells of connections it closed itself.
  boss.on('error', (error) => {
    if (!stopping) log.warn({ err: error }, 'the job runner has a problem')
  })
  await boss.start()

  const timers = await Promise.all(SCHEDULED_JOBS.map((job) => startTimed(boss, job, context, log)))
  const lookAtClock = () =>
    removeFutureJobs(database).catch((error) => log.warn({ err: error }, 'jobs cannot be looked through'))
  timers.push(setInterval(() => void lookAtClock(), CLOCK_MS))

  const retries = { retryLimit: 10, retryDelay: 5, retryBackoff: true, retryDelayMax: 4 * 3600 }
  const kept = { heartbeatSeconds: HEARTBEAT_SECONDS, expireInSeconds: 120, deleteAfterSeconds: 14 * DAY }
  await makeQueue(boss, MAIL_QUEUE, { policy: 'standard', ...retries, ...kept })
  await makeQueue(boss, MAIL_DIGEST, { policy: 'short', ...retries, ...kept })
  const mailer = openMailer(config)
  const send = (jobs: Job<MailJob>[]) =>
    Promise.all(
      jobs.map(async ({ id, data }) => {
        try {
          const output = await deliver(context, mailer, id, data)
          // Given up at once: its own server refuses this address for good.
          if (typeof output === 'object')
            return { id, status: 'deadletter' as const, output: { message: output.undeliverable } }
          return { id, status: 'completed' as const, output: { result: output } }
        } catch (error) {
          log.warn({ err: error, job: id }, 'a mail could not be sent')
          return { id, status: 'failed' as const, output: { message: (error as Error).message } }
        }
      }),
    )
  const eager = {
    batchSize: 5,
    pollingIntervalSeconds: 1,
    burstWhenBatchFull: true,
    perJobResults: true,
  } as const
  await boss.work(MAIL_QUEUE, eager, send)
  await boss.work(MAIL_DIGEST, { ...eager, pollingIntervalSeconds: 5 }, send)

  const relay = startOutboxRelay(database, (tx, moved) => mailJobs(boss, tx, moved), log)

  return {
    boss,
    async stop() {
      stopping = true
      for (const timer of timers) clearInterval(timer)
      await relay.stop()
      await boss.stop({ graceful: true, timeout: STOP_MS })
      mailer.close()
    },
  }
}

/** One queue for each timed job: of one time slot only the first instance's wish counts, and one run at a time. */
async function startTimed(
  boss: PgBoss,
  { name, every, run }: ScheduledJob,
  context: Context,
  log: FastifyBaseLogger,
): Promise<NodeJS.Timeout> {
  await makeQueue(boss, name, {
    policy: 'exclusive',
    retryLimit: 3,
    retryDelay: 5,
    retryBackoff: true,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: HOUR_LIMIT,
    deleteAfterSeconds: every < 600 ? 3600 : 7 * DAY,
  })
  const worker = await boss.work(name, { pollingIntervalSeconds: 30 }, async () => {
    try {
      return { result: (await run(context)) ?? null }
    } catch (error) {
      log.error({ err: error, job: name }, 'a job failed')
      throw error
    }
  })
  const wish = async () => {
    try {
      const id = await boss.send(name, null, { singletonSeconds: every })
      if (id !== null) boss.notifyWorker(worker)
    } catch (error) {
      log.warn({ err: error, job: name }, 'a job could not be scheduled')
    }
  }
  await wish()
  return setInterval(() => void wish(), every * 1000)
}

const HOUR_LIMIT = 3600

/** Makes a queue or brings it up to this version's settings. */
async function makeQueue(boss: PgBoss, name: string, options: QueueSettings): Promise<void> {
  await boss.createQueue(name, options)
  const { policy: _, ...changeable } = options
  await boss.updateQueue(name, changeable)
}

type QueueSettings = NonNullable<Parameters<PgBoss['createQueue']>[1]>
