import { v7 as newId } from 'uuid'
import { PACKAGES } from '#contract/product.ts'
import { BadConfig, type Config } from '#server/config.ts'
import { type Database, query, queryOne, type Tx } from '#server/database/database.ts'
import { addDemoPurchase } from '#server/payments/sandbox/demo-purchase.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { submitWork } from '#server/submissions/submit.ts'
import { addTask } from '#server/tasks/add.ts'
import { decideWithdrawal } from '#server/withdrawals/decide.ts'
import { requestWithdrawal } from '#server/withdrawals/request.ts'
import { PAYOUTS } from './payouts.ts'
import { TASKS } from './tasks.ts'
import { demoEmail, PEOPLE } from './users.ts'

const claimEmpty = query<{ name: string }, []>(
  'demo_claim_empty',
  `insert into installation (name, value) select 'demo_world', 'true' where not exists (select from identities)
   on conflict (name) do nothing returning name`,
)
const setClock = query<never, [time: string]>(
  'demo_set_clock',
  `select set_config('tallywork.clock', $1, true)`,
)
const addIdentity = query<never, [id: string, name: string, email: string, joined: string]>(
  'demo_add_identity',
  'insert into identities (id, name, email, email_key, email_verified_at, created_at) values ($1, $2, $3, $3, $4, $4)',
)
const registerPerson = queryOne<{ made: boolean }, [id: string, role: string, name: string, email: string]>(
  'demo_register',
  `select register_user($1, $2, $3, $4, $4, '') as made`,
)
const readNotices = query<never, [before: string]>(
  'demo_read_notices',
  'update notifications set read_at = created_at where created_at < $1',
)
const clearOutbox = query<never, []>('demo_clear_outbox', 'delete from outbox')

const holdsDemoWorld = query<{ name: string }, []>(
  'demo_holds_world',
  `select name from installation where name = 'demo_world'`,
)

/** Production keeps away from a database with made-up people in it, unless DEMO=1 asks for them by name. */
export async function refuseDemoData(database: Database): Promise<void> {
  const [there] = await holdsDemoWorld(database)
  if (there !== undefined) {
    throw new BadConfig(
      'This database holds the demo world: in production use another DATA_DIR or DATABASE_URL, or ask for it with DEMO=1',
    )
  }
}

/** A moment of the story: it happens at its own time, by the marketplace's clock. */
type Moment = { at: number; happen: (tx: Tx) => Promise<unknown> }

const DAY_MS = 86_400_000
const ADMIN = 'rehana'
const [, , LARGEST_PACKAGE] = PACKAGES

/**
 * Fills an empty database with the demo world, through the product's own use cases at the times of its story, in one
 * transaction. Development only; does nothing where anybody exists.
 */
export async function seedDemoData(
  database: Database,
  config: Config,
  log: (line: string) => void,
): Promise<void> {
  await database.transaction(async (tx) => {
    const [empty] = await claimEmpty(tx)
    if (empty === undefined) return
    log('First start: making a small demo world.')
    const now = Date.now()
    for (const { at, happen } of story(config, now).sort((a, b) => a.at - b.at)) {
      await setClock(tx, new Date(at).toISOString())
      await happen(tx)
    }
    await readNotices(tx, new Date(now - 3 * DAY_MS).toISOString())
    await clearOutbox(tx)
  })
}

function story(config: Config, now: number): Moment[] {
  const ago = (days: number, minutes = 0) => now - days * DAY_MS + minutes * 60_000
  const ids = new Map(PEOPLE.map(({ key }) => [key, newId()]))
  const person = (key: string) => {
    const id = ids.get(key)
    if (id === undefined) throw new Error(`Nobody in the demo world is called ${key}`)
    return { id, emailKey: demoEmail(key) }
  }

  const arrivals = PEOPLE.map(({ key, name, role, joinedDaysAgo }) => ({
    at: ago(joinedDaysAgo),
    happen: async (tx: Tx) => {
      const { id, emailKey } = person(key)
      await addIdentity(tx, id, name, emailKey, new Date(ago(joinedDaysAgo)).toISOString())
      await registerPerson(tx, id, role, name, emailKey)
    },
  }))

  const purchases = PEOPLE.flatMap(({ key, joinedDaysAgo, packages = 0 }) =>
    Array.from({ length: packages }, (_, index) => ({
      at: ago(joinedDaysAgo, 30 + index * 95),
      happen: (tx: Tx) => addDemoPurchase(tx, person(key).id, LARGEST_PACKAGE),
    })),
  )

  const work = TASKS.flatMap((task): Moment[] => {
    let taskId = ''
    const posted: Moment = {
      at: ago(task.postedDaysAgo),
      happen: async (tx) => {
        taskId = await addTask(tx, config, person(task.buyer), wireTask(task, now), {})
      },
    }
    const rest = task.work.flatMap(({ by, daysAgo, text, fate }, index): Moment[] => {
      let submissionId = ''
      const submitted: Moment = {
        at: ago(daysAgo, index * 7),
        happen: async (tx) => {
          submissionId = await submitWork(tx, config, person(by), { taskId, text }, {})
        },
      }
      if (fate === undefined) return [submitted]
      const decided: Moment = {
        at: ago(daysAgo, 240 + index * 11),
        happen: (tx) =>
          fate === 'approved'
            ? approveSubmission(tx, submissionId, person(task.buyer).id)
            : rejectSubmission(tx, submissionId, person(task.buyer).id, fate.rejected),
      }
      return [submitted, decided]
    })
    return [posted, ...rest]
  })
  const payouts = PAYOUTS.flatMap(({ by, daysAgo, coins, system, accountNumber, fate }): Moment[] => {
    let withdrawalId = ''
    const requested: Moment = {
      at: ago(daysAgo, 60),
      happen: async (tx) => {
        withdrawalId = await requestWithdrawal(tx, config, person(by), { coins, system, accountNumber }, {})
      },
    }
    if (fate === undefined) return [requested]
    const decision =
      fate === 'approved'
        ? ({ status: 'approved' } as const)
        : ({ status: 'declined', reason: fate.declined } as const)
    const decided: Moment = {
      at: ago(daysAgo, 600),
      happen: (tx) => decideWithdrawal(tx, withdrawalId, person(ADMIN).id, decision, {}),
    }
    return [requested, decided]
  })
  return [...arrivals, ...purchases, ...work, ...payouts]
}

function wireTask(task: (typeof TASKS)[number], now: number) {
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
