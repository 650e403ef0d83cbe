import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/card-reconciliation.ts'
import type { RouteContext } from '#server/context.ts'
import { query } from '#server/database/database.ts'
import { clientOf } from '#server/http/client.ts'
import { sendCsv } from '#server/http/csv-file.ts'
import { serve } from '#server/http/serve.ts'
import { logExport } from '#server/security-log/log-event.ts'
import {
  listCardCases,
  resolveCardCase,
  TRANSACTION_COLUMNS,
  type TransactionRow,
  transactionsAfter,
  transactionTotals,
} from './card-transactions.ts'
import { presentCardCase } from './present.ts'

const logTransactionsExport = query<never, [adminId: string]>(
  'card_transactions_log_export',
  `select log_admin_action($1, 'card_transactions_exported', $1)`,
)

/** Registers the comparison of the provider's balance with our payments. */
export function reconciliationRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.cardReconciliation, async ({ db }) => {
    const [{ until, ...totals }, cases] = await Promise.all([transactionTotals(db), listCardCases(db)])
    const dollars = Object.fromEntries(Object.entries(totals).map(([name, cents]) => [name, cents / 100]))
    return { until, totals: dollars as typeof totals, cases: cases.map(presentCardCase) }
  })

  serve(app, context, contract.resolveCardCase, async ({ db, params, body, viewer }) => {
    await resolveCardCase(db, params.id, viewer.id, body.note)
    return { acknowledged: true, matchedCount: 1, modifiedCount: 1 }
  })

  serve(app, context, contract.cardTransactionsFile, async ({ db, viewer, request, reply }) => {
    await logTransactionsExport(db, viewer.id)
    await logExport(db, viewer.id, viewer.id, clientOf(request), 'card_transactions')
    return sendCsv(reply, {
      name: 'card-transactions.csv',
      heading: TRANSACTION_COLUMNS,
      read: (last: TransactionRow | null, limit) =>
        transactionsAfter(db, last?.created_at ?? null, last?.id ?? '', limit),
      cells: (row) => TRANSACTION_COLUMNS.map((column) => row[column] ?? ''),
    })
  })
}
