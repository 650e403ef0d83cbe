import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { asRefusal } from '#server/http/errors.ts'
import { enableApiEvents } from '#tests/support/api-events.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { useDatabase } from '#tests/support/database.ts'
import { byThing, eventsOf, storedEvents } from './events.ts'
import { Marketplace } from './marketplace.ts'
import type { Operation, Outcome, State } from './operation.ts'
import { EXPECTED_REFUSALS, ORDER, operation } from './operations.ts'
import { readWorld } from './read-world.ts'
import type { Result } from './result.ts'
import type { Chosen, MassRejection } from './work.ts'
import { World } from './world.ts'

/** `npm run model` runs more stories, from another seed each time. MODEL_SEED repeats what a failure printed. */
const LONG = process.env.MODEL_STORIES !== undefined
const STORIES = Number(process.env.MODEL_STORIES ?? 4)
const SEED = Number(process.env.MODEL_SEED ?? (LONG ? Date.now() % 2 ** 31 : 1))
const options = { numRuns: STORIES, seed: SEED, endOnFailure: true }

/** Low enough for some buyers to come to need a reviewer for each rejection. */
const SOME_REVIEWED: MassRejection = { decisions: 12, percent: 40 }
/** Concurrent decisions are counted in an order that nobody knows. */
const NONE_REVIEWED: MassRejection = { decisions: 12, percent: 100 }

describe('the marketplace against its model', () => {
  const db = useDatabase()

  async function begin(massRejection: MassRejection) {
    const model = new Marketplace(massRejection)
    const world = new World(db.database, db.owner, massRejection)
    await world.populate(model)
    await enableApiEvents(db.database, ...world.people)
    const expectedEvents: string[] = []
    /** Applies an operation to the model, and notes the events that it demands. */
    function apply(next: Operation, chosen?: Chosen): Outcome {
      const before = structuredClone(model.state)
      const outcome = model.apply(next, chosen)
      if (outcome === 'done') expectedEvents.push(...eventsOf(next, before, model.state))
      return outcome
    }
    return { model, world, apply, expectedEvents }
  }

  test('one at a time, also when connections break meanwhile, every operation matches the model', async () => {
    // How many queries of another connection pass before it breaks; with 4 only the response is lost.
    const breaks = fc.oneof(
      { weight: 8, arbitrary: fc.constant(-1) },
      { weight: 1, arbitrary: fc.nat({ max: 4 }) },
    )
    const step = fc.record({ next: operation, breaks })
    const steps = fc.array(step, { minLength: 80, maxLength: 200, size: 'max' })
    let compared = 0
    const story = fc.asyncProperty(steps, async (operations) => {
      const { model, world, apply, expectedEvents } = await begin(SOME_REVIEWED)
      for (const [index, { next: raw, breaks }] of operations.entries()) {
        const next = model.aim(raw)
        const where = `step ${index}: ${JSON.stringify(next)}`
        const running = run(world, model, next)
        if (breaks >= 0 && breaks < 4) await breakConnections(breaks)
        const result = breaks < 4 ? await running : await running.then(() => undefined)
        if (result !== undefined) {
          world.remember(next, result)
          const outcome = apply(next, { reviewer: await world.reviewerOf(next) })
          assert.equal(result.outcome, outcome, where)
          continue
        }
        await world.discover()
        if (await isSame(model, world)) continue
        apply(next, { reviewer: await world.reviewerOf(next) })
        await expectSame(model, world, `${where}, whose connection broke`)
      }
      await expectSame(model, world, 'at the end')
      compared += expectedEvents.length
      assert.deepEqual(byThing(await storedEvents(world)), byThing(expectedEvents))
      await expectBooksToBalance(db.database)
    })
    await fc.assert(story, options)
    assert.ok(compared > 0, 'no story had an event')
  })

  test('concurrent users: the successful operations match the model, and nothing else happens', async () => {
    const batch = fc.array(operation, { minLength: 4, maxLength: 16, size: 'max' })
    const batches = fc.array(batch, { minLength: 4, maxLength: 14, size: 'max' })
    const story = fc.asyncProperty(batches, async (rounds) => {
      const { model, world, apply, expectedEvents } = await begin(NONE_REVIEWED)
      for (const round of rounds) {
        const results = await Promise.all(
          oneDeletion(round).map(async (raw) => {
            const one = model.aim(raw)
            const result = await world.run(model, one)
            return { one: { ...one, ...result.found } as Operation, result }
          }),
        )
        for (const { one, result } of results) {
          assert.ok(
            result.outcome === 'done' || EXPECTED_REFUSALS.has(result.outcome),
            `${one.do} came to ${result.outcome}`,
          )
        }
        const happened = results.filter(({ result }) => result.outcome === 'done')
        happened.sort((a, b) => ORDER.indexOf(a.one.do) - ORDER.indexOf(b.one.do))
        while (happened.length > 0) {
          // A rejection frees a slot: operations that failed before are retried after it.
          const next = happened.findIndex(({ one }) => canBe(model, one, apply))
          assert.ok(next >= 0, `succeeded, though in no order: ${JSON.stringify(happened)}`)
          for (const { one, result } of happened.splice(next, 1)) world.remember(one, result)
        }
        await expectBooksToBalance(db.database)
      }
      assert.deepEqual(withoutOrder(await readWorld(world)), withoutOrder(model.state))
      assert.deepEqual((await storedEvents(world)).toSorted(), expectedEvents.toSorted())
    })
    await fc.assert(story, options)
  })

  /** Returns undefined when the connection broke, so that nobody knows whether the operation happened. */
  async function run(world: World, model: Marketplace, next: Operation): Promise<Result | undefined> {
    try {
      return await world.run(model, next)
    } catch (error) {
      if (asRefusal(error).code === 'unavailable') return undefined
      throw error
    }
  }

  /** Ends the connections of the marketplace after a number of queries. */
  async function breakConnections(queries: number): Promise<void> {
    for (let query = 0; query < queries; query++) await db.owner.query('select')
    await db.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename <> current_user`,
    )
  }
})

async function expectSame({ state }: Marketplace, world: World, where: string) {
  assert.deepEqual(await readWorld(world), state, where)
}

async function isSame({ state }: Marketplace, world: World): Promise<boolean> {
  return isDeepStrictEqual(await readWorld(world), state)
}

/** Without what depends on the order of concurrent operations. */
function withoutOrder(state: State): State {
  const work = state.work.map(({ reviews, ...rest }) => ({
    ...rest,
    reason: '',
    reviews: reviews.map((review) => ({ ...review, reviewer: null, passedOver: [] })),
  }))
  const sorted = (numbers: number[]) => numbers.toSorted((one, other) => one - other)
  return { ...state, work, decisions: [sorted(state.decisions.flat())], appeals: sorted(state.appeals) }
}

/** Books a success into the model if it could be now; coins that came in the same moment may have made it possible. */
function canBe(model: Marketplace, one: Operation, apply: (one: Operation) => Outcome): boolean {
  const payer = model.state.people[payerOf(model, one)]
  const lent = payer === undefined ? 0 : costOf(model, one)
  if (payer !== undefined) payer.coins += lent
  const outcome = apply(one)
  if (payer !== undefined) payer.coins -= lent
  return outcome === 'done'
}

const PAID_BY_BUYER: readonly Operation['do'][] = ['reopen-slot', 'reverse', 'bonus']

function payerOf(model: Marketplace, one: Operation): number {
  if (one.do === 'top-up' || one.do === 'reopen') return model.buyerOf(one, one.task)
  if ('work' in one && PAID_BY_BUYER.includes(one.do)) {
    return model.state.tasks[model.state.work[one.work]?.task ?? -1]?.buyer ?? -1
  }
  return 'who' in one ? one.who : -1
}

function costOf(model: Marketplace, one: Operation): number {
  if (one.do === 'post') return one.slots * one.reward
  if (one.do === 'withdraw' || one.do === 'bonus') return one.coins
  if (one.do === 'top-up') return one.slots * (model.state.tasks[one.task]?.reward ?? 0)
  if (one.do === 'reopen') return model.reopeningCost(one.task)
  if (one.do !== 'reopen-slot' && one.do !== 'reverse') return 0
  return model.state.tasks[model.state.work[one.work]?.task ?? -1]?.reward ?? 0
}

/** When two users are deleted at once, the first deletion decides the work between them; the model cannot know which. */
function oneDeletion(batch: readonly Operation[]): Operation[] {
  const first = batch.findIndex((one) => one.do === 'delete-user')
  return batch.filter((one, index) => one.do !== 'delete-user' || index === first)
}
