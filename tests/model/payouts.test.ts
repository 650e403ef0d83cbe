import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { asRefusal } from '#server/http/errors.ts'
import { decideWithdrawal } from '#server/payouts/decide-withdrawal.ts'
import { readCsv } from '#server/payouts/files/csv.ts'
import { downloadFile, exportPayoutBatch } from '#server/payouts/files/export.ts'
import { listProfiles } from '#server/payouts/files/profiles.ts'
import * as payouts from '#server/payouts/queries.ts'
import { releasePayoutBatch } from '#server/payouts/release-payout-batch.ts'
import { createSandboxPayouts } from '#server/payouts/sandbox-provider.ts'
import { queryPayouts, sendPayouts } from '#server/payouts/send.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { useDatabase } from '#tests/support/database.ts'
import { anAdmin, type TestUser } from '#tests/support/factories.ts'
import { aRequest } from '#tests/support/payouts.ts'

const LONG = process.env.MODEL_STORIES !== undefined
const STORIES = Math.ceil(Number(process.env.MODEL_STORIES ?? 3) / (LONG ? 4 : 1))
const SEED = Number(process.env.MODEL_SEED ?? (LONG ? Date.now() % 2 ** 31 : 1))

/** The last two digits choose what the sandbox does (server/payouts/sandbox-provider.ts); the bank rejects `13`. */
const ENDINGS = ['10', '11', '12', '13', '91', '92', '93', '94', '95']
const REJECTED = '13'
const UNPAID_BY_SANDBOX = ['93', '94']

const STEPS = {
  create: 4,
  provider: 2,
  check: 2,
  release: 5,
  cancel: 1,
  remove: 1,
  upload: 4,
  outcome: 5,
  unknown: 1,
  statement: 2,
  retry: 3,
  pay: 2,
  claim: 1,
  decline: 1,
  send: 4,
  query: 3,
  freeze: 2,
  unfreeze: 2,
} as const
type Step = { do: keyof typeof STEPS; admin: number; pick: number; breaks: number }
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    ...Object.entries(STEPS).map(([name, weight]) => ({
      weight,
      arbitrary: fc.constant(name as Step['do']),
    })),
  ),
  admin: fc.nat({ max: 1 }),
  pick: fc.nat(),
  /** How many queries of another connection pass before the connections break; -1: they do not. */
  breaks: fc.oneof({ weight: 7, arbitrary: fc.constant(-1) }, { weight: 1, arbitrary: fc.nat({ max: 5 }) }),
})

type Payout = {
  id: string
  reference: string
  state: string
  batch: string
  batch_state: string
  provider: string | null
  withdrawal: string
  account: string
  status: string
}

/**
 * Admins pay by batches, files, a provider and by hand, and report truthfully what a bank did, while requests are frozen and
 * connections break. Whatever happens, nobody is paid twice, nobody who is frozen is in a new file, and the books balance.
 */
describe('payouts against a bank', () => {
  const db = useDatabase()

  test('no story pays a request twice, or approves one that was not paid', async () => {
    const story = fc.asyncProperty(
      fc.array(step, { minLength: 40, maxLength: 90, size: 'max' }),
      async (steps) => {
        const world = await begin()
        for (const [index, one] of steps.entries()) {
          const running = attempt(() => world.run(one))
          if (one.breaks >= 0) await breakConnections(one.breaks)
          await running
          await world.expectPaidOnce(`step ${index}: ${JSON.stringify(one)}`)
        }
        await expectBooksToBalance(db.database)
        await world.settle()
        await expectBooksToBalance(db.database)
      },
    )
    await fc.assert(story, { numRuns: STORIES, seed: SEED, endOnFailure: true })
  })

  let stories = 0
  async function begin() {
    const { database, owner } = db
    const admins = [await anAdmin(database), await anAdmin(database)]
    const requests: string[] = []
    const story = String(stories++).padStart(6, '0')
    for (const [index, ending] of ENDINGS.entries()) {
      const accountNumber = `01${3 + (index % 7)}${story}${ending}`
      requests.push((await aRequest(database, { accountNumber })).id)
    }
    const [profile] = await listProfiles(database)
    /** References and requests that the bank paid. */
    const paid = new Set<string>()
    const inFiles = new Set<string>()

    const rows = async (): Promise<Payout[]> =>
      (
        await owner.query<Payout>(
          `select payouts.id, reference, payouts.state, batch_id as batch, payout_batches.state as batch_state, provider,
                  withdrawal_id as withdrawal, payouts.account_number as account, withdrawals.status
             from payouts join payout_batches on payout_batches.id = batch_id join withdrawals on withdrawals.id = withdrawal_id
            where withdrawal_id = any ($1) order by payouts.id`,
          [requests],
        )
      ).rows
    const batches = async () =>
      (
        await owner.query<{ id: string }>(
          'select id from payout_batches where not single and created_by = any ($1) order by id',
          [admins.map(({ id }) => id)],
        )
      ).rows.map(({ id }) => id)
    const frozen = async () =>
      new Set(
        (
          await owner.query<{ withdrawal_id: string }>(
            'select withdrawal_id from freezes where withdrawal_id = any ($1) and ended_at is null',
            [requests],
          )
        ).rows.map(({ withdrawal_id }) => withdrawal_id),
      )

    /** Makes the file of a batch and uploads it: the bank pays each reference once. */
    async function upload(batch: string, admin: string): Promise<void> {
      const stopped = await frozen()
      const { rowCount: files } = await owner.query('select from payout_files where batch_id = $1', [batch])
      const file = await exportPayoutBatch(database, batch, admin, profile?.id ?? '')
      const { content } = await downloadFile(database, file, admin)
      const [heading = [], ...lines] = readCsv(content)
      const all = await rows()
      const listed = lines.map((line) => {
        const row = all.find(({ reference }) => reference === line[heading.indexOf('reference')])
        assert.ok(
          row !== undefined && (files !== 0 || !stopped.has(row.withdrawal)),
          'A frozen request is in a file',
        )
        return row
      })
      // Nobody uploads a file of which an outcome was reported, or a payout was stopped.
      if (listed.some(({ state, withdrawal }) => state !== 'sent' || stopped.has(withdrawal))) return
      for (const { reference, account } of listed) {
        inFiles.add(reference)
        if (!account.endsWith(REJECTED)) paid.add(reference)
      }
    }
    /** Reports what the bank did with a payout. One that is in no file is paid by hand unless it is stopped, or was not paid. */
    async function report(payout: Payout, admin: string, byHand: boolean): Promise<void> {
      const { id, reference, account, withdrawal } = payout
      if (
        !inFiles.has(reference) &&
        byHand &&
        !account.endsWith(REJECTED) &&
        !(await frozen()).has(withdrawal)
      )
        paid.add(reference)
      // Reported until the response arrives: the Admin knows what was paid.
      for (;;) {
        const isReported = await attempt(() =>
          paid.has(reference)
            ? payouts.confirmPayout(database, id, admin, '')
            : payouts.failPayout(database, id, admin, 'The account is closed', false),
        )
        if (isReported) return
      }
    }

    async function run({ do: name, admin: number, pick }: Step): Promise<unknown> {
      const admin = (admins[number] as TestUser).id
      const choice = <Item>(items: readonly Item[]) => items[pick % Math.max(1, items.length)]
      const all = await rows()
      const batch = choice(await batches()) ?? randomUUID()
      const request = choice(requests) as string
      const sent = choice(all.filter(({ state, provider }) => state === 'sent' && provider === null))
      switch (name) {
        case 'create': {
          const some = requests.filter((_, index) => (pick >> index) % 2 === 1)
          return payouts.createPayoutBatch(
            database,
            randomUUID(),
            some.length === 0 ? [request] : some,
            admin,
            null,
          )
        }
        case 'provider':
          return payouts.setProvider(database, batch, admin, pick % 3 === 0 ? null : 'sandbox')
        case 'check':
          return payouts.checkPayoutBatch(database, batch, admin)
        case 'release':
          return releasePayoutBatch(database, batch, admin)
        case 'cancel':
          return payouts.cancelPayoutBatch(database, batch, admin)
        case 'remove':
          return payouts.removePayout(database, choice(all)?.id ?? randomUUID(), admin)
        case 'upload':
          return upload(batch, admin)
        case 'outcome':
          return sent && report(sent, admin, pick % 2 === 0)
        case 'unknown':
          return sent && payouts.markPayoutUnknown(database, sent.id, admin, 'The portal timed out')
        case 'statement':
          return settleByStatement(all)
        case 'retry': {
          const failed = choice(all.filter(({ state }) => state === 'failed'))
          return (
            failed && payouts.retryPayout(database, failed.id, admin, failed.account.replace(/..$/, '10'))
          )
        }
        case 'claim':
          return payouts.claimPayout(database, request, admin, '')
        case 'pay':
          return decideWithdrawal(database, request, admin, { status: 'approved' }, {})
        case 'decline':
          return decideWithdrawal(
            database,
            request,
            admin,
            { status: 'declined', reason: 'Wrong number' },
            {},
          )
        case 'send':
          return sendPayouts(database, createSandboxPayouts(database))
        case 'query':
          return askProvider(2 + (pick % 3) * 60)
        case 'freeze':
          return owner.query('select freeze_withdrawal($1, $2, $3)', [request, 'A ring', admin])
        case 'unfreeze': {
          const ended = `select end_freeze(id, 'Cleared', $2) from freezes where withdrawal_id = $1 and ended_at is null`
          return owner.query(ended, [request, admin])
        }
      }
    }
    const askProvider = (minutes: number) =>
      atTime(db.url, later(new Date(), { minutes }), (clocked) =>
        queryPayouts(clocked, createSandboxPayouts(clocked)),
      )
    async function settleByStatement(all: readonly Payout[]): Promise<void> {
      for (const { id, reference, provider, state } of all) {
        if (provider !== null || (state !== 'unknown' && !inFiles.has(reference))) continue
        if (state !== 'sent' && state !== 'unknown') continue
        await owner.query(
          paid.has(reference)
            ? `select confirm_payout($1, 'statement')`
            : `select fail_payout($1, 'statement', null, 'Returned', false)`,
          [id],
        )
      }
    }

    /** How often each request was paid: by the bank, by the provider, and by hand with Payment Success. */
    async function payments(): Promise<Map<string, number>> {
      const counts = new Map<string, number>(requests.map((id) => [id, 0]))
      const { rows: bySandbox } = await owner.query<{ reference: string }>(
        'select reference from sandbox_payouts where right(account_number, 2) <> all ($1)',
        [UNPAID_BY_SANDBOX],
      )
      const references = new Set([...paid, ...bySandbox.map(({ reference }) => reference)])
      const { rows: single } = await owner.query<{ withdrawal_id: string }>(
        `select withdrawal_id from payouts join payout_batches on payout_batches.id = batch_id
          where single and payouts.state = 'confirmed' and withdrawal_id = any ($1)`,
        [requests],
      )
      for (const { reference, withdrawal } of await rows())
        if (references.has(reference)) counts.set(withdrawal, (counts.get(withdrawal) ?? 0) + 1)
      for (const { withdrawal_id: id } of single) counts.set(id, (counts.get(id) ?? 0) + 1)
      return counts
    }

    return {
      run,
      async expectPaidOnce(where: string): Promise<void> {
        for (const [id, times] of await payments())
          assert.ok(times <= 1, `${id} was paid ${times} times, ${where}`)
        const { rows: wrong } = await owner.query('select name from audit_payouts() where wrong > 0')
        assert.deepEqual(wrong, [], where)
      },
      /** Ends everything that is in flight: what was paid is approved, and nothing else is. */
      async settle(): Promise<void> {
        for (let round = 0; round < 3; round++) {
          await attempt(() => sendPayouts(database, createSandboxPayouts(database)))
          await askProvider(62 + round)
          await settleByStatement(await rows())
          for (const row of (await rows()).filter(
            ({ state, provider }) => state === 'sent' && provider === null,
          ))
            await report(row, (admins[0] as TestUser).id, false)
        }
        const paidNow = await payments()
        for (const { withdrawal, status } of await rows())
          assert.equal(status === 'approved', paidNow.get(withdrawal) === 1, withdrawal)
      },
    }
  }

  /** Returns false when the connection broke, so that nobody knows whether it happened. A refusal is an outcome. */
  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      const { code } = asRefusal(error)
      if (code === 'internal') throw error
      return code !== 'unavailable'
    }
  }

  async function breakConnections(queries: number): Promise<void> {
    for (let query = 0; query < queries; query++) await db.owner.query('select')
    await db.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename <> current_user`,
    )
  }
})
