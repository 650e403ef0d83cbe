import { v7 as newId } from 'uuid'
import { addedTaxOf, packagesOf } from '#contract/operator-settings.ts'
import { type AddedTax, taxCentsOf } from '#contract/tax.ts'
import type { Viewer } from '#server/http/caller.ts'
import { nullIfRefused, Refusal } from '#server/http/refusal.ts'
import { readSetting } from '#server/operator-settings/read.ts'
import { customerOf, replaceDeletedCustomer } from './customers.ts'
import { limitIntents } from './intent-rate-limit.ts'
import { type Intent, type PaidTax, StoredFailure } from './provider.ts'
import {
  attachIntent,
  balanceOfUser,
  cardLimitRefusal,
  closePurchase,
  findOrCreatePurchase,
  type PurchaseRow,
  purchaseById,
  purchaseByKey,
  repaymentOfPurchase,
  startAttempt,
  storePurchaseClient,
  storePurchaseKey,
} from './queries.ts'
import { createCardSession } from './saved-cards.ts'
import { type Cards, settle } from './settle.ts'

/** An unpaid intent is cancelled after this long, because the provider keeps idempotency keys for a day. */
export const INTENT_HOURS_MAX = 23
const ATTEMPTS_MAX = 4
/** For how long after its start an attempt is repeated without looking its intent up. */
const ATTEMPT_MS = 120_000
const USER_AGENT_MAX = 300
/** Later attempts have no customer, so that one that the provider refuses cannot block purchases. */
const WITH_CUSTOMER_MAX = 2

/** The customer's secret is for their saved cards. */
type Secrets = { clientSecret: string; customerSecret?: string }
/** `key` is the client's idempotency key. The IP address and browser are evidence in a dispute. */
type Client = { key?: string | undefined; ip?: string; userAgent?: string | undefined }

/**
 * Creates the intent for the package of this price in dollars and returns its secrets for the browser's card form. The purchase is stored before
 * the request to the provider, so that a crash, a second click or a reload finds the same purchase and intent. A request
 * with the same idempotency key returns the same intent, also after it was paid or its price changed.
 * @throws Refusal `invalid_fields` for a price without a package, or with other coins or another total than the buyer saw; `state_conflict` while the last payment for the package
 * is processing, or when it turns out to be paid, in which case its coins are credited first; `too_many_requests`; `state_conflict` above
 * a limit of cards.
 */
export async function createIntent(
  context: Cards,
  viewer: Viewer,
  { price, coins, total }: { price: number; coins?: number | undefined; total?: number | undefined },
  { key, ip, userAgent }: Client = {},
): Promise<Secrets> {
  const { database, cards } = context
  const [earlier] = key === undefined ? [] : await purchaseByKey(database, viewer.id, key)
  if (earlier !== undefined) {
    await limitIntents(database, viewer.id, 'begin')
    const repeated = await returnedIntentOf(context, earlier)
    if (repeated !== null) return secretsOf(context, viewer.id, repeated)
  }
  const [onSale, seller] = await Promise.all([
    readSetting(database, 'packages'),
    readSetting(database, 'seller'),
  ])
  const packages = packagesOf(onSale)
  const offer = packages.find((coinPackage) => coinPackage.price === price)
  if (offer === undefined) {
    throw new Refusal('invalid_fields.package', { field: 'price' })
  }
  if (coins !== undefined && coins !== offer.coins) {
    throw new Refusal('invalid_fields.package_changed', { field: 'coins' })
  }
  const priceCents = Math.round(offer.price * 100)
  const tax = taxOf(addedTaxOf(seller), priceCents)
  const cents = priceCents + (tax?.cents ?? 0)
  if (total !== undefined && Math.round(total * 100) !== cents) {
    throw new Refusal('invalid_fields.total_changed', { field: 'total' })
  }
  if (earlier === undefined) await limitIntents(database, viewer.id, 'begin')
  const { refusal } = await cardLimitRefusal(database, viewer.id, cents)
  if (refusal !== null) throw new Refusal(refusal, { field: 'price' })
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const { id } = await findOrCreatePurchase(
      database,
      newId(),
      viewer.id,
      offer.coins,
      cents,
      cards.mode,
      tax,
    )
    const [purchase] = await purchaseById(database, id)
    if (purchase === undefined) throw new Error(`Purchase ${id} does not exist`)
    if (ip !== undefined)
      await storePurchaseClient(database, id, ip, userAgent?.slice(0, USER_AGENT_MAX) ?? '')
    const intent = await payableIntentOf(context, purchase)
    if (intent === null) continue
    // Not earlier: a repeated request would get an intent that was paid before its first attempt.
    if (key !== undefined) await storePurchaseKey(database, viewer.id, key, id)
    return secretsOf(context, viewer.id, intent)
  }
  throw new Refusal('unavailable.payment')
}

/** Returns the tax that is added to a price; null where it is less than half a cent. */
function taxOf(tax: AddedTax | null, priceCents: number): PaidTax | null {
  const cents = tax === null ? 0 : taxCentsOf(tax, priceCents)
  return tax === null || cents === 0 ? null : { ...tax, cents }
}

async function secretsOf(context: Cards, userId: string, intent: Intent): Promise<Secrets> {
  const { clientSecret } = intent
  const customerSecret =
    intent.state === 'waiting' ? await createCardSession(context, userId, intent) : undefined
  return customerSecret === undefined ? { clientSecret } : { clientSecret, customerSecret }
}

/** Returns the intent that an earlier request returned for this purchase, also a paid one, unless it can no longer be paid. */
async function returnedIntentOf({ cards }: Cards, purchase: PurchaseRow): Promise<Intent | null> {
  if (purchase.intent_id === null) return null
  const intent = await nullIfRefused(cards.retrieve(purchase.intent_id), 'payment_not_found')
  if (intent?.state === 'waiting' && isExpired(purchase)) return null
  return intent?.state === 'cancelled' ? null : intent
}

/** Returns the intent to pay this open purchase with, or null when the purchase has changed or was closed. */
async function payableIntentOf(context: Cards, purchase: PurchaseRow): Promise<Intent | null> {
  const { database, cards } = context
  const expired = isExpired(purchase)
  if (purchase.intent_id === null) {
    if (expired) return close(context, purchase)
    const intent = await findOrCreateIntent(context, purchase)
    const [attached] = await attachIntent(database, purchase.id, intent.id)
    return attached !== undefined && intent.state === 'waiting' ? intent : null
  }

  const existing = await nullIfRefused(cards.retrieve(purchase.intent_id), 'payment_not_found')
  if (existing === null) return close(context, purchase)
  const intent = existing.state === 'waiting' && expired ? await cards.cancel(existing.id) : existing
  if (intent.state === 'waiting') return intent
  if (intent.state === 'processing') {
    throw new Refusal('state_conflict.payment_processing')
  }
  if ((await settle(context, purchase)) === 'credited') {
    const { coins: balance, debt } = await balanceOfUser(database, purchase.user_id)
    const [repayment] = await repaymentOfPurchase(database, purchase.id)
    const params = { coins: purchase.coins, repaid: repayment?.coins ?? 0, balance, debt }
    throw new Refusal('state_conflict.payment_credited', { params })
  }
  return null
}

/**
 * Creates the intent of a purchase. The idempotency key finds an intent whose creation had no response. The provider also
 * stores errors under the key: after one, the intent is looked up, because an error does not prove that nothing was
 * created, and is created under a new key when there is none. Before an older attempt is repeated, its intent is looked up, so
 * that a look-up covers minutes, whatever was sold since. Concurrent calls make the same attempts with the same customer.
 */
async function findOrCreateIntent(context: Cards, purchase: PurchaseRow): Promise<Intent> {
  const { database, cards } = context
  const { id, user_id: userId, coins, amount_cents: amountCents, tax } = purchase
  const lookUp = (startedAt: string) =>
    cards.find(id, startedAt, new Date(Date.parse(startedAt) + ATTEMPT_MS).toISOString())
  const start = async (next: number, restart = false) => {
    const customerId = next > WITH_CUSTOMER_MAX ? null : await customerOf(context, userId)
    return startAttempt(database, id, next, customerId, restart)
  }
  const create = ({ attempt, customer_id: customerId }: Awaited<ReturnType<typeof start>>) =>
    cards.create({ purchaseId: id, attempt, userId, coins, amountCents, tax, customerId })
  const isOld = Date.now() - Date.parse(purchase.attempt_started_at) > ATTEMPT_MS
  const earlier = isOld ? await lookUp(purchase.attempt_started_at) : null
  if (earlier !== null) return earlier
  const first = await start(Math.max(purchase.attempt, 1), isOld)
  try {
    return await create(first)
  } catch (error) {
    if (!(error instanceof StoredFailure)) throw error
    const existing = await lookUp(first.attempt_started_at)
    if (existing !== null) return existing
    // The provider also rejects an intent whose customer was deleted there.
    await replaceDeletedCustomer(context, userId)
    return create(await start(first.attempt + 1))
  }
}

async function close({ database }: Cards, purchase: PurchaseRow): Promise<null> {
  await closePurchase(database, purchase.id)
  return null
}

export function isExpired({ created_at }: PurchaseRow): boolean {
  return Date.now() - Date.parse(created_at) > INTENT_HOURS_MAX * 3_600_000
}
