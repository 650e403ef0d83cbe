import type { FastifyInstance } from 'fastify'
import { cardBrandName } from '#contract/card-brands.ts'
import * as contract from '#contract/payments.ts'
import type { RouteContext } from '#server/context.ts'
import { hasNoWord, searchWords } from '#server/database/search-words.ts'
import { clientOf } from '#server/http/client.ts'
import { requireExportable, sendCsv } from '#server/http/csv-file.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { logExport } from '#server/security-log/log-event.ts'
import { allPayments, type Filter, totalsOfPayments } from './filtered-payments.ts'
import { presentForAdmin } from './present.ts'
import type { PaymentRow } from './queries.ts'

const STATUS = { Success: 'paid', Refunded: 'refunded', Disputed: 'disputed' } as const

const HEADING = [
  'Receipt',
  'Date',
  'Buyer',
  'Email',
  'User id',
  'Coins',
  'Dollars',
  'Returned dollars',
  'Status',
  'Card',
  'Transaction',
]

/** Serves the payments of all users to Admins, with their sums and as a file. */
export function paymentTableRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.listPayments, async ({ db, query, reply }) => {
    const filter = filterOf(query)
    if (filter === null) return []
    const rows = await page(
      reply,
      query,
      ['number'],
      ([after], count) => allPayments(db, filter, after as number | null, count),
      (row) => [row.number],
    )
    return rows.map(presentForAdmin)
  })

  serve(app, context, contract.paymentTotals, async ({ db, query }) => {
    const filter = filterOf(query)
    if (filter === null) return { payments: 0, price: 0, returned: 0, coins: 0 }
    const { payments, cents, returned, coins } = await totalsOfPayments(db, filter)
    return { payments, price: cents / 100, returned: returned / 100, coins }
  })

  serve(app, context, contract.paymentsFile, async ({ db, query, viewer, request, reply }) => {
    const filter = filterOf(query)
    const count = filter === null ? 0 : (await totalsOfPayments(db, filter)).payments
    requireExportable(count)
    await logExport(db, viewer.id, viewer.id, clientOf(request), 'payments')
    return sendCsv(reply, {
      name: 'payments.csv',
      heading: HEADING,
      read: async (last: PaymentRow | null, limit) =>
        filter === null ? [] : allPayments(db, filter, last?.number ?? null, limit),
      cells: cellsOf,
    })
  })
}

/** Returns null for a search without words, which finds nothing. */
function filterOf({ q = '', status, from, to }: contract.PaymentFilter): Filter | null {
  const typed = q.trim()
  if (hasNoWord(typed)) return null
  const words = searchWords(typed)
  return {
    terms: words === null ? null : { words, transactionId: typed },
    status: status === undefined ? null : STATUS[status],
    from: from ?? null,
    to: to ?? null,
  }
}

function cellsOf(row: PaymentRow): (string | number)[] {
  const payment = presentForAdmin(row)
  return [
    payment.receipt,
    payment.date,
    payment.name,
    payment.email,
    payment.userId,
    payment.coins,
    payment.price.toFixed(2),
    payment.returned.price.toFixed(2),
    payment.status,
    payment.card === null ? '' : `${cardBrandName(payment.card.brand)} ${payment.card.last4}`,
    payment.transactionId,
  ]
}
