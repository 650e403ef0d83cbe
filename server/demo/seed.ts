import { v7 as newId } from 'uuid'
import { PACKAGES } from '#contract/product.ts'
import { BadConfig } from '#server/bad-config.ts'
import type { Config } from '#server/config.ts'
import { type Database, MANY_ROWS, query, type Tx } from '#server/database/database.ts'
import { addDemoPurchase } from '#server/payments/sandbox/demo-purchase.ts'
import { decideWithdrawal } from '#server/payouts/decide-withdrawal.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { submitWork } from '#server/submissions/submit.ts'
import { addTask } from '#server/tasks/add.ts'
import { registerUser } from '#server/users/register.ts'
import { requestWithdrawal } from '#server/withdrawals/request.ts'
import { DEMO_TASKS } from './tasks.ts'
import { DEMO_USERS, demoEmail } from './users.ts'
import { DEMO_WITHDRAWALS } from './withdrawals.ts'

const claimEmpty = query<{ name: string }, []>(
  'demo_claim_empty',
  `insert into installation (name, value) select 'demo_world', 'true' where not exists (select from identities)
   on conflict (name) do nothing returning name`,
  // Waits for another instance that creates the data at the same time.
  MANY_ROWS,
)
const setClock = query<never, [time: string]>(
  'demo_set_clock',
  `select set_config('tallywork.clock', $1, true)`,
)
/** Issues the receipts of an event at its time: their triggers are deferred until the transaction ends. */
const runDeferredTriggers = query<never, []>('demo_run_deferred_triggers', 'set constraints all immediate')
const deferTriggers = query<never, []>('demo_defer_triggers', 'set constraints all deferred')
const addIdentity = query<never, [id: string, name: string, email: string, joined: string]>(
  'demo_add_identity',
  'insert into identities (id, name, email, email_key, email_verified_at, created_at) values ($1, $2, $3, $3, $4, $4)',
)
const markNotificationsRead = query<never, [before: string]>(
  'demo_mark_notifications_read',
  'update notifications set read_at = created_at where created_at < $1',
)
const clearOutbox = query<never, []>(
  'demo_clear_outbox',
  'with emptied as (delete from outbox_groups) delete from outbox',
)

const readDemoMarker = query<{ name: string }, []>(
  'demo_marker',
  `select name from installation where name = 'demo_world'`,
)

/** Throws when the database contains demo data. Production calls it unless DEMO=1 is set. @throws BadConfig. */
export async function refuseDemoData(database: Database): Promise<void> {
  const [marker] = await readDemoMarker(database)
  if (marker !== undefined) {
    throw new BadConfig(
      'This database contains demo data. In production, use another DATA_DIR or DATABASE_URL, or allow demo data with DEMO=1.',
    )
  }
}

/** An action of the demo history, run with the marketplace's clock set to `at` (milliseconds since the epoch). */
type DemoEvent = { at: number; run: (tx: Tx) => Promise<unknown> }

const DAY_MS = 86_400_000
const ADMIN = 'rehana'
const [, , LARGEST_PACKAGE] = PACKAGES

/**
 * Fills an empty database with demo data in one transaction: runs the product's use cases at the times of the demo
 * history. Does nothing when the database contains an identity.
 */
export async function seedDemoData(
  database: Database,
  config: Config,
  log: (message: string) => void,
): Promise<void> {
  await database.transaction(async (tx) => {
    const [empty] = await claimEmpty(tx)
    if (empty === undefined) return
    log('Creating demo data in the empty database.')
    const now = Date.now()
    for (const { at, run } of demoHistory(config, now).sort((a, b) => a.at - b.at)) {
      await setClock(tx, new Date(at).toISOString())
      await run(tx)
      await runDeferredTriggers(tx)
      await deferTriggers(tx)
    }
    await markNotificationsRead(tx, new Date(now - 3 * DAY_MS).toISOString())
    await clearOutbox(tx)
  })
}

function demoHistory(config: Config, now: number): DemoEvent[] {
  // No event is in the future: the first of today are at the start of the server.
  const ago = (days: number, minutes = 0) => Math.min(now, now - days * DAY_MS + minutes * 60_000)
  const ids = new Map(DEMO_USERS.map(({ key }) => [key, newId()]))
  const demoUser = (key: string) => {
    const id = ids.get(key)
    if (id === undefined) throw new Error(`Unknown demo user: ${key}`)
    return { id, emailKey: demoEmail(key) }
  }

  const registrations = DEMO_USERS.map(({ key, name, role, joinedDaysAgo }) => ({
    at: ago(joinedDaysAgo),
    run: async (tx: Tx) => {
      const { id, emailKey } = demoUser(key)
      await addIdentity(tx, id, name, emailKey, new Date(ago(joinedDaysAgo)).toISOString())
      await registerUser(tx, { id, role, name, email: emailKey, emailKey, image: '' })
    },
  }))

  const purchases = DEMO_USERS.flatMap(({ key, joinedDaysAgo, packages = 0 }) =>
    Array.from({ length: packages }, (_, index) => ({
      at: ago(joinedDaysAgo, 30 + index * 95),
      run: (tx: Tx) => addDemoPurchase(tx, demoUser(key).id, LARGEST_PACKAGE),
    })),
  )

  const taskEvents = DEMO_TASKS.flatMap((task): DemoEvent[] => {
    let taskId = ''
    const posted: DemoEvent = {
      at: ago(task.postedDaysAgo),
      run: async (tx) => {
        taskId = await addTask(tx, config, demoUser(task.buyer), toTaskRequest(task, now), {})
      },
    }
    const submissionEvents = task.work.flatMap(({ by, daysAgo, text, outcome }, index): DemoEvent[] => {
      let submissionId = ''
      const submitted: DemoEvent = {
        at: ago(daysAgo, index * 7),
        run: async (tx) => {
          submissionId = await submitWork(tx, config, demoUser(by), { taskId, text }, {})
        },
      }
      if (outcome === undefined) return [submitted]
      const decided: DemoEvent = {
        at: ago(daysAgo, 240 + index * 11),
        run: (tx) =>
          outcome === 'approved'
            ? approveSubmission(tx, submissionId, demoUser(task.buyer).id)
            : rejectSubmission(tx, config, submissionId, demoUser(task.buyer).id, {
                reason: outcome.rejected,
              }),
      }
      return [submitted, decided]
    })
    return [posted, ...submissionEvents]
  })
  const withdrawals = DEMO_WITHDRAWALS.flatMap(
    ({ by, daysAgo, coins, system, accountNumber, outcome }): DemoEvent[] => {
      let withdrawalId = ''
      const requested: DemoEvent = {
        at: ago(daysAgo, 60),
        run: async (tx) => {
          withdrawalId = await requestWithdrawal(
            tx,
            config,
            demoUser(by),
            { coins, system, accountNumber },
            {},
          )
        },
      }
      if (outcome === undefined) return [requested]
      const decision =
        outcome === 'approved'
          ? ({ status: 'approved' } as const)
          : ({ status: 'declined', reason: outcome.declined } as const)
      const decided: DemoEvent = {
        at: ago(daysAgo, 600),
        run: (tx) => decideWithdrawal(tx, withdrawalId, demoUser(ADMIN).id, decision, {}),
      }
      return [requested, decided]
    },
  )
  return [...registrations, ...purchases, ...taskEvents, ...withdrawals]
}

function toTaskRequest(task: (typeof DEMO_TASKS)[number], now: number) {
  return {
    task_title: task.title,
    task_detail: task.detail,
    required_workers: task.slots,
    payable_amount: task.reward,
    completion_date: new Date(now + task.deadlineInDays * DAY_MS).toISOString().slice(0, 10),
    submission_info: task.submissionInfo,
    task_image_url: '',
  }
}
