import type { CardDispute, Evidence, TimelineEntry } from '#contract/card-disputes.ts'
import type { Config } from '#server/config.ts'
import { query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { activityText, buyerActivity } from './buyer-activity.ts'
import { listDisputeFiles, prepareFiles } from './dispute-files.ts'
import { purchaseById } from './queries.ts'
import { type Cards, settle } from './settle.ts'

type DisputeRow = {
  id: string
  payment_id: string
  user_id: string
  transaction_id: string
  buyer_name: string
  buyer_email: string
  cents: number
  status: string
  reason: string
  is_open: boolean
  can_respond: boolean
  respond_by: string | null
  opened_at: string
  fields: Evidence | null
  version: number | null
  submitted_at: string | null
  submitted_by: string | null
  submitted_by_name: string | null
}

const DISPUTE = `disputes.id, disputes.payment_id, payments.user_id, payments.transaction_id, buyers.name as buyer_name,
  buyers.email as buyer_email, disputes.cents, disputes.status, disputes.reason, disputes.is_open,
  evidence.submitted_at is null and needs_response(disputes.status) as can_respond, disputes.respond_by,
  disputes.opened_at, evidence.fields, evidence.version,
  evidence.submitted_at, evidence.submitted_by, admins.name as submitted_by_name
  from payment_disputes as disputes
  join payments on payments.id = disputes.payment_id
  join users as buyers on buyers.id = payments.user_id
  left join dispute_evidence as evidence on evidence.dispute_id = disputes.id
  left join users as admins on admins.id = evidence.submitted_by`

/** Returns disputes that take evidence first, then open ones, both by their deadline, then the latest. */
export const listDisputes = query<DisputeRow, []>(
  'card_disputes_list',
  `select ${DISPUTE}
    order by can_respond desc, is_open desc,
             case when disputes.is_open or needs_response(disputes.status) then disputes.respond_by end,
             disputes.opened_at desc
    limit 200`,
)
const disputeById = query<DisputeRow, [id: string]>(
  'card_dispute_by_id',
  `select ${DISPUTE} where disputes.id = $1`,
)

type TimelineRow = {
  at: string
  kind: TimelineEntry['kind']
  actor: string | null
  actor_id: string | null
  subject: string
  user_id: string | null
  cents: number | null
  coins: number | null
  /** The entries that are left out. */
  more: number
}
const timelineOf = query<TimelineRow, [paymentId: string]>(
  'payment_timeline',
  'select at, kind, actor, actor_id, subject, user_id, cents, coins, more from payment_timeline($1)',
)
const purchaseOf = query<
  { coins: number; ip: string; user_agent: string; paid_at: string },
  [paymentId: string]
>(
  'purchase_of_dispute',
  `select payments.coins, purchases.ip, purchases.user_agent, payments.paid_at
     from payments join purchases on purchases.id = payments.id where payments.id = $1`,
)
const save = query<never, [id: string, adminId: string, fields: Evidence, version: number | null]>(
  'save_evidence',
  'select save_evidence($1, $2, $3, $4)',
)
const recordSubmitted = query<never, [id: string, adminId: string, fileIds: string[]]>(
  'record_evidence_submitted',
  'select record_evidence_submitted($1, $2, $3)',
)

/** Returns a dispute, its saved or prepared evidence, its files, and the time line of its payment. @throws Refusal `not_found`. */
export async function readDispute({ database }: Cards, id: string) {
  const row = await requireDispute(database, id)
  const [evidence, files, timeline] = await Promise.all([
    row.fields ?? prepareEvidence(database, row),
    listDisputeFiles(database, id),
    timelineOf(database, row.payment_id),
  ])
  const { version } = row
  return {
    dispute: presentDispute(row),
    evidence,
    version: version ?? 0,
    files,
    timeline: timeline.map(presentEntry),
    timelineMore: timeline[0]?.more ?? 0,
  }
}

/**
 * Saves the evidence of a dispute and, with `submit`, sends it to the bank through the provider, once each time that the bank asks,
 * with its files and the receipt of the payment. @throws Refusal `not_found`, `yourself`, `state_conflict`,
 * `payments_unavailable`, `unavailable`.
 */
export async function saveEvidence(
  context: Cards & { config: Pick<Config, 'name'> },
  id: string,
  adminId: string,
  { evidence, version, submit }: { evidence: Evidence; version?: number | undefined; submit: boolean },
): Promise<CardDispute> {
  const { database, cards } = context
  await save(database, id, adminId, evidence, version ?? null)
  if (submit) {
    const { payment_id: paymentId, transaction_id: intentId } = await requireDispute(database, id)
    const files = await prepareFiles(context, id, paymentId, context.config.name)
    await cards.submitEvidence({ disputeId: id, intentId, evidence, files })
    const fileIds = files.map((file) => file.id)
    await recordSubmitted(database, id, adminId, fileIds)
    const [purchase] = await purchaseById(database, paymentId)
    if (purchase !== undefined) await settle(context, purchase)
  }
  return presentDispute(await requireDispute(database, id))
}

async function requireDispute(database: Cards['database'], id: string): Promise<DisputeRow> {
  const [row] = await disputeById(database, id)
  if (row === undefined) throw new Refusal('not_found.card_dispute')
  return row
}

const FIELD_MAX = 20_000

/** Prepares the evidence from what is known: the buyer, the browser that paid, and what the buyer did with the coins. */
async function prepareEvidence(database: Cards['database'], row: DisputeRow): Promise<Evidence> {
  const [[purchase], activity] = await Promise.all([
    purchaseOf(database, row.payment_id),
    buyerActivity(database, row.user_id),
  ])
  const log = activity.map(
    (entry) => `${entry.at.slice(0, 19).replace('T', ' ')} UTC  ${activityText(entry)}`,
  )
  const delivered = activity.filter(({ kind }) => kind === 'work_received').length
  const coins = purchase?.coins ?? 0
  // A payment that arrived for a deleted user credited none.
  const isCredited = coins > 0
  return {
    customerName: row.buyer_name,
    customerEmail: row.buyer_email,
    customerIp: purchase?.ip ?? '',
    serviceDate: (purchase?.paid_at ?? row.opened_at).slice(0, 10),
    productDescription: isCredited
      ? `${coins} coins of an online marketplace for small tasks. Coins are digital: they were credited to the account of the buyer at once, who pays workers with them.`
      : 'Coins of an online marketplace for small tasks. Coins are digital: a buyer pays workers with them.',
    accessLog: log.join('\n').slice(-FIELD_MAX),
    explanation: [
      `The buyer paid on ${purchase?.paid_at ?? ''}${purchase?.user_agent ? ` with the browser ${purchase.user_agent}` : ''}.`,
      isCredited
        ? 'The coins were credited at once, and the buyer was notified with a receipt.'
        : 'No coins were credited, because the account was deleted before the payment arrived.',
      delivered > 0
        ? `The buyer has received ${delivered} deliveries of work that were paid with coins; the access log lists them.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
  }
}

export function presentDispute(row: DisputeRow): CardDispute {
  return {
    _id: row.id,
    transactionId: row.transaction_id,
    buyer: { _id: row.user_id, name: row.buyer_name, email: row.buyer_email },
    amount: row.cents / 100,
    status: row.status,
    reason: row.reason,
    isOpen: row.is_open,
    canRespond: row.can_respond,
    respondBy: row.respond_by,
    date: row.opened_at,
    submitted:
      row.submitted_at === null
        ? null
        : { date: row.submitted_at, admin: row.submitted_by_name ?? '', adminId: row.submitted_by },
  }
}

const presentEntry = (row: TimelineRow): TimelineEntry => {
  const { at: date, kind, actor, actor_id: actorId, subject, user_id: userId, cents, coins } = row
  return {
    date,
    kind,
    actor,
    actorId,
    subject,
    userId,
    dollars: cents === null ? null : cents / 100,
    coins,
  }
}
