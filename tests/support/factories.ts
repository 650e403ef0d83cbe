import { randomUUID } from 'node:crypto'
import type { Role } from '#contract/endpoint.ts'
import { type Config, readConfig } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { asRefusal } from '#server/http/errors.ts'
import { submitWork } from '#server/submissions/submit.ts'
import { addTask } from '#server/tasks/add.ts'
import { registerUser } from '#server/users/register.ts'

/** People and things as tests need them, made by the product's own use cases. */
export type TestUser = {
  id: string
  name: string
  email: string
  emailKey: string
  role: Role
  accountId: number
}

export const testConfig: Config = readConfig({ NODE_ENV: 'test', PORT: '0' })

/** Rejections are final at once, as with APPEAL_DAYS=0. */
export const noAppeals: Config = { ...testConfig, appealDays: 0 }

let people = 0

/** Registers a user with their starting coins and `coins` more, as if bought by card. */
export async function aUser(
  database: Database,
  role: Role,
  { coins = 0, name = '' } = {},
): Promise<TestUser> {
  const id = randomUUID()
  const number = ++people
  const called = name === '' ? `${role} ${number}` : name
  const email = `${role.toLowerCase()}.${number}.${id.slice(0, 8)}@example.com`
  const { pool } = database
  await pool.query('insert into identities (id, name, email, email_key) values ($1, $2, $3, $3)', [
    id,
    called,
    email,
  ])
  await registerUser(database, { id, role, name: called, email, emailKey: email, image: '' })
  const { rows } = await pool.query<{ account_id: number }>('select account_id from users where id = $1', [
    id,
  ])
  const accountId = Number(rows[0]?.account_id)
  if (coins > 0) await giveCoins(database, accountId, coins)
  return { id, name: called, email, emailKey: email, role, accountId }
}

export const aBuyer = (database: Database, options?: { coins?: number; name?: string }) =>
  aUser(database, 'Buyer', options)
export const aWorker = (database: Database, options?: { coins?: number; name?: string }) =>
  aUser(database, 'Worker', options)
export const anAdmin = (database: Database) => aUser(database, 'Admin')

/** Coins from card clearing, as a purchase books them. */
export async function giveCoins(database: Database, accountId: number, coins: number): Promise<void> {
  const sql = `select transfer('coins_bought', $1, card_clearing_account(), $2, $3)`
  await database.run({ name: 'test_give_coins', sql }, [randomUUID(), accountId, coins])
}

export async function balanceOf(database: Database, user: { accountId: number }): Promise<number> {
  const { rows } = await database.pool.query<{ balance: number }>(
    'select balance from ledger_accounts where id = $1',
    [user.accountId],
  )
  return Number(rows[0]?.balance)
}

type TaskOptions = { reward?: number; slots?: number; title?: string; day?: string }

/** A day in the marketplace's near future, yyyy-mm-dd. */
export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

export function taskBody({
  reward = 10,
  slots = 3,
  title = 'Label ten photos',
  day = dayFromNow(7),
}: TaskOptions = {}) {
  return {
    task_title: title,
    task_detail: 'Look at each photo and say what it shows.',
    required_workers: slots,
    payable_amount: reward,
    completion_date: day,
    submission_info: 'Ten lines of text',
    task_image_url: '',
  }
}

/** An open task of this buyer, who needs the coins for it. */
export async function aTask(database: Database, buyer: TestUser, options: TaskOptions = {}): Promise<string> {
  return addTask(database, testConfig, buyer, taskBody(options), {})
}

export function aSubmission(database: Database, taskId: string, worker: TestUser): Promise<string> {
  return submitWork(database, testConfig, worker, { taskId, text: 'Here is my work.' }, {})
}

/** A buyer, a worker, a task and the worker's pending work on it. */
export async function aPendingSubmission(database: Database, options: TaskOptions = {}) {
  const { reward = 10, slots = 3 } = options
  const buyer = await aBuyer(database, { coins: reward * slots })
  const worker = await aWorker(database)
  const taskId = await aTask(database, buyer, { ...options, reward, slots })
  const submissionId = await aSubmission(database, taskId, worker)
  return { buyer, worker, taskId, submissionId, reward, slots }
}

/** Runs N calls concurrently and returns their results. */
export function atOnce<Result>(
  times: number,
  work: (index: number) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  return Promise.allSettled(Array.from({ length: times }, (_, index) => work(index)))
}

/** How many of these came to pass; the codes of the others are in `codes`. */
export function outcomes(results: PromiseSettledResult<unknown>[]): { good: number; codes: string[] } {
  return {
    good: results.filter((result) => result.status === 'fulfilled').length,
    codes: results
      .filter((result) => result.status === 'rejected')
      .map(({ reason }) => (reason.code === 'TW001' ? asRefusal(reason).code : reason.code)),
  }
}
