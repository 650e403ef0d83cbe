import type { FastifyBaseLogger } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { walArchive } from '#server/backup/archive-state.ts'
import { lastBackup } from '#server/backup/last-backup.ts'
import type { Database } from '#server/database/database.ts'
import { duePartition, PARTITIONED_TABLES } from '#server/database/due-partitions.ts'
import { MAIL_QUEUES } from '#server/jobs/mail-jobs.ts'
import { countOutbox } from '#server/jobs/outbox-relay.ts'
import { readJobStates, readOldestDue } from '#server/jobs/pg-boss.ts'
import { lastAudit } from '#server/ledger/last-audit.ts'
import { lastCheck } from '#server/payments/check-provider.ts'

/** Few, so that requests find a connection; one by one they outlast a scrape while the database is silent. */
const CONCURRENT_QUERIES = 3

type CreateGauge = <Label extends string = never>(
  name: string,
  help: string,
  labelNames?: Label[],
) => Gauge<Label>

/** Reads from the database and sets gauges to the result. */
type Measurement = (log: FastifyBaseLogger) => Promise<void>

/**
 * Registers the metrics that are read from the database: jobs, emails, the outbox, backups, partitions, checks of the card
 * processor and the audit. Returns what sets their gauges before each scrape.
 */
export function measureDatabase(database: Database, registry: Registry): Measurement {
  const gauge: CreateGauge = (name, help, labelNames = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const measurements = [
    measureJobs(gauge, database),
    measureEmails(gauge, database),
    measureOutbox(gauge, database),
    measureBackups(gauge, database),
    measureArchive(gauge, database),
    ...measurePartitions(gauge, database),
    measureCardChecks(gauge, database),
    measureAudit(gauge, database),
  ]
  return async (log) => {
    const next = measurements.values()
    const run = async () => {
      for (const measure of next) await measure(log)
    }
    await Promise.all(Array.from({ length: CONCURRENT_QUERIES }, run))
  }
}

/** Gauges without a result must be absent: `reset()` would make those without labels 0. */
function measurement<Result>(read: () => Promise<Result>, set: (result?: Result) => void): Measurement {
  return async (log) => {
    let result: Result | undefined
    try {
      result = await read()
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'could not read metrics from the database')
    }
    set(result)
  }
}

const secondsSince = (time: string) => (Date.now() - Date.parse(time)) / 1000

function measureJobs(gauge: CreateGauge, database: Database): Measurement {
  const jobs = gauge('background_jobs', 'Background jobs by queue and state', ['queue', 'state'])
  return measurement(
    () => readJobStates(database),
    (rows) => {
      jobs.reset()
      if (rows === undefined) return
      // A series must exist before its first increase, or alert rules do not see it.
      for (const queue of MAIL_QUEUES) jobs.set({ queue, state: 'undeliverable' }, 0)
      for (const { name, state, jobs: count } of rows) jobs.set({ queue: name, state }, count)
    },
  )
}

function measureEmails(gauge: CreateGauge, database: Database): Measurement {
  const wait = gauge(
    'email_wait_seconds',
    'How long the oldest email of a queue waits that is due (created) or retried (retry)',
    ['queue', 'state'],
  )
  return measurement(
    () => readOldestDue(database, MAIL_QUEUES),
    (rows = []) => {
      wait.reset()
      for (const { queue, state, seconds } of rows) wait.set({ queue, state }, seconds)
    },
  )
}

function measureOutbox(gauge: CreateGauge, database: Database): Measurement {
  const rows = gauge('outbox_pending_rows', 'Rows of the outbox that no relay has processed yet')
  const wait = gauge('outbox_wait_seconds', 'How long the oldest row of the outbox waits for a relay')
  return measurement(
    () => countOutbox(database),
    (result) => {
      rows.remove()
      wait.remove()
      if (result === undefined) return
      rows.set(result.pending)
      wait.set(result.seconds)
    },
  )
}

function measureBackups(gauge: CreateGauge, database: Database): Measurement {
  const age = gauge('backup_age_seconds', 'Time since the last backup; absent while there is none', ['proof'])
  return measurement(
    () => lastBackup(database),
    (rows = []) => {
      age.reset()
      for (const { finished_at, rehearsed_at } of rows) {
        age.set({ proof: 'made' }, secondsSince(finished_at))
        if (rehearsed_at !== null) age.set({ proof: 'restored' }, secondsSince(rehearsed_at))
      }
    },
  )
}

function measureArchive(gauge: CreateGauge, database: Database): Measurement {
  const age = gauge(
    'wal_archive_age_seconds',
    'Time since WAL was last archived, or since the start of the database; absent without an archive',
  )
  const failing = gauge('wal_archive_failing', '1 when the last attempt to archive WAL failed')
  return measurement(
    () => walArchive(database),
    (rows = []) => {
      age.remove()
      failing.remove()
      for (const { archived_at, is_failing } of rows) {
        if (archived_at !== null) age.set(secondsSince(archived_at))
        failing.set(is_failing ? 1 : 0)
      }
    },
  )
}

function measurePartitions(gauge: CreateGauge, { pool }: Database): Measurement[] {
  const due = gauge('partition_due', '1 while the next partition of a table should have been started', [
    'table',
  ])
  return PARTITIONED_TABLES.map((table) =>
    measurement(
      async () => (await duePartition(pool, table)) !== undefined,
      (isDue) => {
        due.remove(table)
        if (isDue !== undefined) due.set({ table }, isDue ? 1 : 0)
      },
    ),
  )
}

function measureCardChecks(gauge: CreateGauge, database: Database): Measurement {
  const passed = gauge(
    'card_provider_check',
    '1 when the last check of the card processor passed, 0 when it failed; absent while unknown',
    ['check'],
  )
  return measurement(
    () => lastCheck(database),
    (check) => {
      passed.reset()
      for (const { name, result } of check?.checks ?? [])
        if (result !== 'unknown') passed.set({ check: name }, result === 'ok' ? 1 : 0)
    },
  )
}

function measureAudit(gauge: CreateGauge, database: Database): Measurement {
  const balanced = gauge(
    'audit_balanced',
    '1 when the last audit found the books balanced, 0 when not; absent before the first audit',
  )
  const age = gauge('audit_age_seconds', 'Time since the last audit')
  const values = gauge(
    'ledger_audit_value',
    'What the last audit counted: coins by place, accounts, transfers',
    ['name'],
  )
  return measurement(
    () => lastAudit(database),
    (audit) => {
      balanced.remove()
      age.remove()
      values.reset()
      if (audit === undefined) return
      balanced.set(audit.balanced ? 1 : 0)
      age.set(secondsSince(audit.time))
      for (const [name, value] of Object.entries(audit.figures)) values.set({ name }, value)
    },
  )
}
