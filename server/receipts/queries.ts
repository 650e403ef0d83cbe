import { PIPELINED, query } from '#server/database/database.ts'

export type ReceiptLine = {
  item: string
  coins: number
  cents: number
  system?: string
  account?: string
  transaction?: string
  taka?: { poisha: number; rate: string; feePoisha: number | null }
}

export type SummaryRow = {
  id: string
  label: string
  kind: 'purchase' | 'refund' | 'payout'
  issued_at: string
  cents: number
  tax: { name: string; percent: number; cents: number; added?: boolean } | null
}

export type ReceiptRow = SummaryRow & {
  user_id: string
  payment_id: string | null
  /** Part of the setting: `{}` for receipts from before it. */
  seller: Partial<Record<'legalName' | 'address' | 'email' | 'taxName' | 'taxNumber', string>>
  customer: { name: string; email: string }
  lines: ReceiptLine[]
  is_real: boolean
  transaction_id: string | null
  card_brand: string | null
  card_last4: string | null
}

const SUMMARY = 'receipts.id, receipts.label, receipts.kind, receipts.issued_at, receipts.cents, receipts.tax'

/** Returns a receipt by its id or that of its subject, if it belongs to this user; null stands for any user. */
export const receiptById = query<ReceiptRow, [id: string, userId: string | null]>(
  'receipt_by_id',
  `select ${SUMMARY}, receipts.user_id, receipts.payment_id, seller, customer, lines, series not like 'TEST%' as is_real,
          payments.transaction_id, payments.card_brand, payments.card_last4
     from receipts left join payments on payments.id = receipts.payment_id
    where (receipts.id = $1 or (kind in ('purchase', 'refund', 'payout') and ref = $1))
      and ($2::uuid is null or receipts.user_id = $2)`,
  PIPELINED,
)

/** Returns the receipts of a payment, in the order in which they were issued. */
export const receiptsOfPayment = query<SummaryRow, [paymentId: string]>(
  'receipts_of_payment',
  `select ${SUMMARY} from receipts where payment_id = $1 order by issued_at, kind, number`,
  PIPELINED,
)
