import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { useDatabase } from '#tests/support/database.ts'
import { Marketplace, type Operation } from './marketplace.ts'
import { World } from './world.ts'

const BUYERS = 3
const WORKERS = 5

/** `MODEL_RUNS=1000 npm test -- tests/model` runs longer; `MODEL_SEED` replays what a failure printed. */
const RUNS = Number(process.env.MODEL_RUNS ?? 40)
const SEED = process.env.MODEL_SEED === undefined ? {} : { seed: Number(process.env.MODEL_SEED) }

// A failure is shrunk for as long; what it prints is enough to go on from there.
const LIMIT_MS = process.env.MODEL_RUNS === undefined ? 15_000 : 600_000

const number = (max: number) => fc.nat({ max: max - 1 })
const buyer = number(BUYERS)
const worker = number(WORKERS).map((index) => index + BUYERS)
const anybody = number(BUYERS + WORKERS)
const mostlyTrue = fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0)

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      who: buyer,
      slots: fc.integer({ min: 1, max: 4 }),
      reward: fc.integer({ min: 1, max: 200 }),
    }),
  },
  { weight: 12, arbitrary: fc.record({ do: fc.constant('submit' as const), who: worker, task: number(12) }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('reserve' as const), who: worker, task: number(12) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('return' as const), who: worker, task: number(12) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('lapse' as const), who: worker, task: number(12) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('approve' as const),
      who: anybody,
      work: number(30),
      own: mostlyTrue,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('reject' as const),
      who: anybody,
      work: number(30),
      own: mostlyTrue,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('delete-task' as const),
      who: anybody,
      task: number(12),
      own: mostlyTrue,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('top-up' as const),
      who: anybody,
      task: number(12),
      own: mostlyTrue,
      slots: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('close' as const),
      who: anybody,
      task: number(12),
      own: mostlyTrue,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('reopen' as const),
      who: anybody,
      task: number(12),
      own: mostlyTrue,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('expire' as const), task: number(12) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('withdraw' as const),
      who: anybody,
      coins: fc.integer({ min: 150, max: 400 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('decide-withdrawal' as const),
      withdrawal: number(6),
      approve: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete-user' as const), who: anybody }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('buy' as const),
      who: buyer,
      coins: fc.integer({ min: 1, max: 500 }),
    }),
  },
)

/**
 * Operations that succeed together need an order in which each could; the sums do not depend on it. What takes a slot
 * or holds coins is tried before what closes and deletes, a user's deletion last.
 */
const ORDER: Operation['do'][] = [
  'buy',
  'post',
  'reopen',
  'top-up',
  'reserve',
  'submit',
  'return',
  'lapse',
  'approve',
  'reject',
  'withdraw',
  'decide-withdrawal',
  'close',
  'expire',
  'delete-task',
  'delete-user',
]
const POLITE = new Set([
  'insufficient_coins',
  'invalid_fields',
  'task_filled',
  'task_closed',
  'task_not_found',
  'submission_not_found',
  'withdrawal_not_found',
  'already_submitted',
  'reservation_limit',
  'reservation_lapsed',
  'already_decided',
  'role_not_allowed',
  'again',
])

describe('the marketplace against its model', () => {
  const db = useDatabase()

  async function begin() {
    const model = new Marketplace()
    const world = new World(db.database)
    await world.populate(model, BUYERS, WORKERS)
    return { model, world }
  }

  async function expectSame(model: Marketplace, world: World) {
    const { people, tasks, reservations, work, withdrawals } = model
    assert.deepEqual(await world.read(), { people, tasks, reservations, work, withdrawals })
  }

  test('one at a time, every operation matches the model exactly', async () => {
    const story = fc.asyncProperty(
      fc.array(operation, { minLength: 1, maxLength: 150, size: 'max' }),
      async (operations) => {
        const { model, world } = await begin()
        for (const [step, next] of operations.entries()) {
          const result = await world.run(model, next)
          world.remember(next, result)
          assert.equal(result.outcome, model.apply(next), `step ${step}: ${JSON.stringify(next)}`)
        }
        await expectSame(model, world)
        await expectBooksToBalance(db.database)
      },
    )
    await fc.assert(story, { numRuns: RUNS, endOnFailure: false, interruptAfterTimeLimit: LIMIT_MS, ...SEED })
  })

  test('concurrent users: the successful operations match the model, and nothing else happens', async () => {
    const rounds = fc.array(fc.array(operation, { minLength: 4, maxLength: 16, size: 'max' }), {
      minLength: 4,
      maxLength: 14,
      size: 'max',
    })
    const story = fc.asyncProperty(rounds, async (batches) => {
      const { model, world } = await begin()
      for (const batch of batches) {
        const results = await Promise.all(
          oneDeletion(batch).map(async (one) => ({ one, result: await world.run(model, one) })),
        )
        for (const { one, result } of results) {
          assert.ok(
            result.outcome === 'done' || POLITE.has(result.outcome),
            `${one.do} came to ${result.outcome}`,
          )
        }
        const happened = results.filter(({ result }) => result.outcome === 'done')
        happened.sort((a, b) => ORDER.indexOf(a.one.do) - ORDER.indexOf(b.one.do))
        while (happened.length > 0) {
          // A rejection frees a slot: operations that failed before are retried after it.
          const next = happened.findIndex(({ one }) => canBe(model, one))
          assert.ok(next >= 0, `succeeded, though in no order: ${JSON.stringify(happened)}`)
          for (const { one, result } of happened.splice(next, 1)) world.remember(one, result)
        }
        await expectBooksToBalance(db.database)
      }
      await expectSame(model, world)
    })
    await fc.assert(story, { numRuns: RUNS, endOnFailure: false, interruptAfterTimeLimit: LIMIT_MS, ...SEED })
  })
})

/** Books a success into the model if it could be now; coins that came in the same moment may have made it possible. */
function canBe(model: Marketplace, operation: Operation): boolean {
  const payer = model.people[payerOf(model, operation)]
  const lent = payer === undefined ? 0 : costOf(model, operation)
  if (payer !== undefined) payer.coins += lent
  const outcome = model.apply(operation)
  if (payer !== undefined) payer.coins -= lent
  return outcome === 'done'
}

function payerOf(model: Marketplace, operation: Operation): number {
  if (operation.do === 'top-up' || operation.do === 'reopen') return model.buyerOf(operation, operation.task)
  return 'who' in operation ? operation.who : -1
}

function costOf(model: Marketplace, operation: Operation): number {
  if (operation.do === 'post') return operation.slots * operation.reward
  if (operation.do === 'withdraw') return operation.coins
  if (operation.do === 'top-up') return operation.slots * (model.tasks[operation.task]?.reward ?? 0)
  return operation.do === 'reopen' ? model.reopeningCost(operation.task) : 0
}

/** When two users are deleted at once, the first deletion decides the work between them; the model cannot know which. */
function oneDeletion(batch: readonly Operation[]): Operation[] {
  const first = batch.findIndex((operation) => operation.do === 'delete-user')
  return batch.filter((operation, index) => operation.do !== 'delete-user' || index === first)
}
