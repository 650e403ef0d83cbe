import assert from 'node:assert/strict'
import type { Freeze } from '#contract/freezes.ts'
import type { Risk } from '#contract/risk.ts'
import { riskText } from '#contract/risk-texts.en.ts'
import type { Database } from '#server/database/database.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { aBuyer, anAdmin, aSubmission, aTask, aWorker, type TestUser } from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'
import type { Processor } from './processor.ts'
import { purchasesOf, type Shop } from './shop.ts'

type Context = { database: Database; processor: Processor; shop: Shop; buyer: TestUser }

/** Scenarios of the limits of cards and buyers, for every card processor (docs/specification/payments.md#card-limits). */
export const CARD_LIMITS: Record<string, (context: Context) => Promise<void>> = {
  async 'a buyer above the number or the amount of purchases in 24 hours is refused'({
    database,
    shop,
    buyer,
  }) {
    await shop.confirm(buyer, await shop.payPackage(buyer))
    try {
      await changeSettings(database, 'card_limits', { purchasesPerBuyer: 1 })
      const { code, body } = await shop.begin(buyer)
      const { fields = {} } = body.error as { fields?: object }
      assert.deepEqual([code, Object.keys(fields)], ['state_conflict', ['price']])
      await changeSettings(database, 'card_limits', { purchasesPerBuyer: null, centsPerBuyer: 1900 })
      assert.equal((await shop.begin(buyer)).code, 'state_conflict')
      assert.equal((await shop.begin(buyer, 1)).status, 200)
    } finally {
      await changeSettings(database, 'card_limits', { purchasesPerBuyer: null, centsPerBuyer: null })
    }
  },

  async 'a buyer who pays more than allowed by purchases that were begun before is credited and frozen'({
    database,
    shop,
    processor,
  }) {
    for (const [limits, isAbove] of [
      [{ purchasesPerBuyer: 2 }, false],
      [{ purchasesPerBuyer: 1 }, true],
      [{ centsPerBuyer: 1050 }, true],
    ] as const) {
      const buyer = await aBuyer(database)
      const stateOf = async () => {
        const { rows } = await database.pool.query(
          `select is_frozen($1) as "isFrozen",
                  (select coalesce(sum(hits), 0)::int from card_limit_hits where user_id = $1) as hits`,
          [buyer.id],
        )
        return rows[0]
      }
      try {
        await changeSettings(database, 'card_limits', limits)
        const [first, second] = [await shop.startIntent(buyer, 10), await shop.startIntent(buyer, 1)]
        await processor.pay(first.secret, '4242424242424242')
        assert.equal((await shop.confirm(buyer, first.id)).status, 200)
        assert.deepEqual(await stateOf(), { isFrozen: false, hits: 0 }, JSON.stringify(limits))
        await processor.pay(second.secret, '4242424242424242')
        assert.equal((await shop.confirm(buyer, second.id)).status, 200)
        const { body } = await shop.ask(buyer, 'GET', '/my-freezes')
        assert.deepEqual(
          (body as unknown as Freeze[]).map(({ reason }) => reason),
          isAbove ? ['You exceeded the limit for purchases by card.'] : [],
        )
        assert.deepEqual(
          await stateOf(),
          { isFrozen: isAbove, hits: isAbove ? 1 : 0 },
          JSON.stringify(limits),
        )
      } finally {
        await changeSettings(database, 'card_limits', { purchasesPerBuyer: null, centsPerBuyer: null })
      }
    }
  },

  async 'a buyer with many declined cards is refused'({ database, shop, buyer, processor }) {
    const { id, secret } = await shop.startIntent(buyer)
    await processor.pay(secret, '4000000000000002')
    await shop.send(id, { id: `evt_declined${id}`, type: 'payment_intent.payment_failed' })
    await shop.send(id, { id: `evt_declined${id}`, type: 'payment_intent.payment_failed' })
    await shop.waitForEvents()
    try {
      await changeSettings(database, 'card_limits', { declinesPerBuyer: 2 })
      assert.equal((await shop.begin(buyer)).status, 200)
      await changeSettings(database, 'card_limits', { declinesPerBuyer: 1 })
      assert.equal((await shop.begin(buyer)).code, 'state_conflict')
    } finally {
      await changeSettings(database, 'card_limits', { declinesPerBuyer: null })
    }
  },

  async 'the declined card that reaches the limit cancels the open purchases of the buyer, and of nobody else'(
    context,
  ) {
    const { database, shop, buyer, processor } = context
    const other = await aBuyer(database)
    const kept = await shop.startIntent(other)
    const begun = [await shop.startIntent(buyer), await shop.startIntent(buyer, 20)] as const
    const decline = async ({ id, secret }: (typeof begun)[0]) => {
      await processor.pay(secret, '4000000000000002')
      await shop.send(id, { type: 'payment_intent.payment_failed' })
      await shop.waitForEvents()
    }
    const statesOf = () =>
      Promise.all([...begun, kept].map(async ({ id }) => (await shop.context.cards.retrieve(id)).state))
    try {
      await changeSettings(database, 'card_limits', { declinesPerBuyer: 2 })
      await decline(begun[0])
      assert.deepEqual(await statesOf(), ['waiting', 'waiting', 'waiting'])
      await decline(begun[0])
      assert.deepEqual(await statesOf(), ['cancelled', 'cancelled', 'waiting'])
      assert.deepEqual(await purchasesOf(database, buyer), ['closed', 'closed'])
      assert.equal((await shop.begin(buyer)).code, 'state_conflict')
    } finally {
      await changeSettings(database, 'card_limits', { declinesPerBuyer: null })
    }
    assert.equal((await shop.startIntent(other)).id, kept.id)
  },

  async 'a buyer who reached a limit is evidence on the requests of the workers whom they paid'({
    database,
    shop,
    buyer,
  }) {
    const admin = await anAdmin(database)
    const request = async (payer: TestUser) => {
      const worker = await aWorker(database)
      const task = await aTask(database, payer, { slots: 1, reward: 240 })
      await approveSubmission(database, await aSubmission(database, task, worker), payer.id)
      const requested = await shop.ask(worker, 'POST', `/withdraw/${worker.email}`, {
        withdrawalCoin: 200,
        payment_system: 'Other',
        accountNumber: `Cash for ${worker.name}`,
      })
      assert.ok(requested.status < 300, JSON.stringify(requested.body))
      return requested.body.insertedId as string
    }
    const assess = async (id: string) => {
      const { body } = await shop.ask(admin, 'POST', `/withdrawals/${id}/risk-assessment`)
      return (body as unknown as Risk).reasons.find(({ kind }) => kind === 'card_limits')
    }
    const other = await aBuyer(database)
    for (const payer of [buyer, other]) await shop.confirm(payer, await shop.payPackage(payer, 20))
    const [ofBuyer, ofOther] = [await request(buyer), await request(other)]
    assert.equal(await assess(ofBuyer), undefined)
    try {
      await changeSettings(database, 'card_limits', { purchasesPerBuyer: 1 })
      for (const attempt of [1, 2])
        assert.equal((await shop.begin(buyer)).code, 'state_conflict', `attempt ${attempt}`)
    } finally {
      await changeSettings(database, 'card_limits', { purchasesPerBuyer: null })
    }
    const reason = await assess(ofBuyer)
    assert.ok(reason && reason.points > 0)
    assert.match(riskText(reason), /% of the coins come from users who reached the limits of card purchases/)
    assert.deepEqual(
      (reason.params as { users: { _id: string }[] }).users.map(({ _id }) => _id),
      [buyer.id],
    )
    assert.equal(await assess(ofOther), undefined, 'another buyer')
  },
}
