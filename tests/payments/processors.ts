import { readConfig } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { CardProvider } from '#server/payments/provider.ts'
import { createSandboxProvider } from '#server/payments/sandbox/processor.ts'
import { type FakeStripe, startFakeStripe } from './fake-stripe/server.ts'
import type { StoredIntent } from './fake-stripe/state.ts'
import type { Processor, Tried } from './processor.ts'

/** Our own sandbox. It lives in the database, so an outage is one of the way there. */
export function aSandbox(database: Database): Processor {
  const { card } = readConfig({ NODE_ENV: 'test', CARD_PROVIDER: 'sandbox' })
  if (card.provider !== 'sandbox') throw new Error('Not the sandbox')
  const provider = createSandboxProvider(database, card)
  const { sandbox } = provider
  const tried = ({ status, error }: { status: Tried['status']; error: { message: string } | null }) => ({
    status,
    message: error?.message ?? null,
  })
  let isDown = false
  const unlessDown = <Values extends unknown[], TestResponse>(
    call: (...values: Values) => Promise<TestResponse>,
  ) => {
    return async (...values: Values) => {
      if (isDown) throw new Refusal('payments_unavailable')
      return call(...values)
    }
  }
  return {
    name: 'the sandbox',
    card,
    wrap: (cards: CardProvider) => ({
      ...cards,
      create: unlessDown(cards.create),
      createCustomer: unlessDown(cards.createCustomer),
      updateCustomer: unlessDown(cards.updateCustomer),
      deleteCustomer: unlessDown(cards.deleteCustomer),
      createCustomerSession: unlessDown(cards.createCustomerSession),
      listCards: unlessDown(cards.listCards),
      removeCard: unlessDown(cards.removeCard),
      find: unlessDown(cards.find),
      listPaid: unlessDown(cards.listPaid),
      listTransactions: unlessDown(cards.listTransactions),
      refund: unlessDown(cards.refund),
      listRefunds: unlessDown(cards.listRefunds),
      uploadEvidence: unlessDown(cards.uploadEvidence),
      submitEvidence: unlessDown(cards.submitEvidence),
      retrieve: unlessDown(cards.retrieve),
      cancel: unlessDown(cards.cancel),
    }),
    pay: async (secret, number, save) =>
      tried(await sandbox.confirm(secret, { number, expMonth: 12, expYear: 2040, cvc: '123' }, save)),
    async paySaved(secret, cardId) {
      try {
        return tried(await sandbox.confirmSaved(secret, cardId))
      } catch (error) {
        if (error instanceof Refusal && error.code === 'not_found')
          return { status: 'failed', message: error.message }
        throw error
      }
    },
    authenticate: async (secret, agreed) => tried(await sandbox.authenticate(secret, agreed)),
    cancel: async (id) => void (await provider.cancel(id)),
    refund: (id, cents) => sandbox.reverse(id, { kind: 'refund', cents }),
    dispute: (id) => sandbox.reverse(id, { kind: 'dispute' }),
    setDispute: (id, status) => sandbox.reverse(id, { kind: 'dispute', status }),
    winDispute: (id) => sandbox.reverse(id, { kind: 'dispute_won' }),
    async change(id, { status, amountCents, currency, metadata }) {
      if (currency !== undefined) throw new Error('The sandbox knows dollars only')
      await database.pool.query(
        `update sandbox_intents set status = coalesce($2, status), amount_cents = coalesce($3, amount_cents),
                metadata = metadata || coalesce($4::jsonb, '{}') where id = $1`,
        [id, status, amountCents, metadata && JSON.stringify(metadata)],
      )
    },
    deleteCustomer: provider.deleteCustomer,
    async evidenceFiles(id) {
      const { rows } = await database.pool.query<{ field: string; type: string }>(
        `select file ->> 'field' as field, sandbox_files.type
           from sandbox_intents, jsonb_array_elements(evidence -> 'files') as file
           join sandbox_files on sandbox_files.id = file ->> 'id' where sandbox_intents.id = $1`,
        [id],
      )
      return Object.fromEntries(rows.map(({ field, type }) => [field, type]))
    },
    async countFiles() {
      return (await database.pool.query('select from sandbox_files')).rowCount ?? 0
    },
    async countIntents() {
      const { rows } = await database.pool.query<{ count: number }>('select count(*) from sandbox_intents')
      return Number(rows[0]?.count)
    },
    outage(down) {
      isDown = down
    },
    close: async () => {},
  }
}

const FILE_FIELDS = {
  receipt: 'receipt',
  serviceDocumentation: 'service_documentation',
  customerCommunication: 'customer_communication',
  other: 'uncategorized_file',
}

/** The real adapter with the official library, and a fake that speaks Stripe's protocol. */
export async function aStripe(): Promise<Processor & { fake: FakeStripe }> {
  const fake = await startFakeStripe()
  const { card } = readConfig({
    NODE_ENV: 'test',
    CARD_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: fake.secretKey,
    STRIPE_PUBLISHABLE_KEY: fake.publishableKey,
    STRIPE_WEBHOOK_SECRET: 'whsec_of_the_tests',
    STRIPE_API_HOST: fake.url,
    STRIPE_STATEMENT_SUFFIX: 'COINS',
  })
  const intent = (id: string): StoredIntent => {
    const found = fake.intents.get(id)
    if (found === undefined) throw new Error(`No intent ${id}`)
    return found
  }
  const tried = ({ status, error }: ReturnType<typeof fake.confirm>): Tried => ({
    status: status === 'succeeded' || status === 'requires_action' ? status : 'failed',
    message: error?.message ?? null,
  })
  return {
    fake,
    name: 'Stripe',
    card,
    wrap: (cards) => cards,
    pay: async (secret, number, save) => tried(fake.confirm(secret, number, save)),
    paySaved: async (secret, cardId) => tried(fake.confirmSaved(secret, cardId)),
    authenticate: async (secret, agreed) => tried(fake.authenticate(secret, agreed)),
    async cancel(id) {
      intent(id).status = 'canceled'
    },
    async refund(id, cents) {
      const one = intent(id)
      one.refunded = cents ?? one.amount
    },
    async dispute(id) {
      const one = intent(id)
      one.disputes.push({ amount: one.amount - one.refunded, status: 'needs_response' })
    },
    async setDispute(id, status) {
      for (const dispute of intent(id).disputes) dispute.status = status
    },
    async winDispute(id) {
      for (const dispute of intent(id).disputes) dispute.status = 'won'
    },
    async change(id, { status, amountCents, currency, metadata }) {
      const one = intent(id)
      one.status = status ?? one.status
      one.amount = amountCents ?? one.amount
      one.currency = currency ?? one.currency
      Object.assign(one.metadata, metadata)
    },
    async deleteCustomer(id) {
      fake.customers.delete(id)
      for (const { id: card, customer } of fake.cards.values()) if (customer === id) fake.cards.delete(card)
    },
    async evidenceFiles(id) {
      const [dispute] = intent(id).disputes
      const files = Object.entries(FILE_FIELDS).map(([field, stripeField]) => {
        const file = fake.files.get(dispute?.evidence?.[`evidence[${stripeField}]`] ?? '')
        return [field, file?.type]
      })
      return Object.fromEntries(files.filter(([, type]) => type !== undefined))
    },
    countFiles: async () => fake.files.size,
    countIntents: async () => fake.intents.size,
    outage(down) {
      fake.fault = down ? 'error' : 'fine'
    },
    close: () => fake.close(),
  }
}
