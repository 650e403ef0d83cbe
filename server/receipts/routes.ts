import type { FastifyInstance, FastifyReply } from 'fastify'
import * as statements from '#contract/monthly-statements.ts'
import * as contract from '#contract/receipts.ts'
import type { Context } from '#server/context.ts'
import type { Database } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import type { Viewer } from '#server/http/caller.ts'
import { clientOf } from '#server/http/client.ts'
import { consumeRateLimit, throwRateLimited } from '#server/http/rate-limit.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { accountHolder } from '#server/ledger/statement.ts'
import { logExport } from '#server/security-log/log-event.ts'
import { readMonthlyStatement, sendMonthlyStatementCsv } from './monthly-statement.ts'
import { createPdf } from './pdf/create-pdf.ts'
import type { Sheet } from './pdf/sheet.ts'
import { describeReceipt, findReceipt, readReceipt } from './read-receipt.ts'
import { receiptSheet } from './receipt-sheet.ts'
import { PDF_LINES_MAX, statementSheet } from './statement-sheet.ts'

const FILES_PER_HOUR = 60
const SCREEN_LINES_MAX = 200

export function receiptRoutes(app: FastifyInstance, context: Context): void {
  const { name } = context.config

  serve(app, context, contract.receipt, ({ db, params, viewer, request }) =>
    readReceipt(db, params.id, ownerFor(viewer), name, requestLocale(request)),
  )

  const { timeZone } = context.config
  serve(app, context, statements.monthlyStatement, ({ db, params, request }) =>
    readMonthlyStatement(db, { ...params, timeZone, locale: requestLocale(request) }, name, SCREEN_LINES_MAX),
  )

  serve(app, context, statements.monthlyStatementFile, async ({ db, params, viewer, request, reply }) => {
    const { id } = await accountHolder(db, emailKey(params.email))
    if (params.format === 'pdf') await countPdf(db, viewer)
    await logExport(db, id, viewer.id, clientOf(request), 'statement')
    const { locale } = viewer
    const month = { ...params, timeZone, locale }
    const fileName = `statement-${params.month}`
    if (params.format === 'pdf') {
      const statement = await readMonthlyStatement(db, month, name, PDF_LINES_MAX)
      return sendPdf(reply, statementSheet(statement, timeZone, locale), fileName)
    }
    return sendMonthlyStatementCsv(reply, db, month, `${fileName}.csv`)
  })

  serve(app, context, contract.receiptFile, async ({ db, params, viewer, request, reply }) => {
    const row = await findReceipt(db, params.id, ownerFor(viewer))
    const receipt = await describeReceipt(db, row, name, viewer.locale)
    await countPdf(db, viewer)
    if (row.user_id !== viewer.id) await logExport(db, row.user_id, viewer.id, clientOf(request), 'receipt')
    return sendPdf(reply, receiptSheet(receipt, timeZone, viewer.locale), receipt.number)
  })
}

/** Returns whose receipts a viewer may read: their own, and an Admin any user's (null). */
const ownerFor = ({ id, role }: Viewer) => (role === 'Admin' ? null : id)

/** Counts a PDF file. Files are limited per user and hour, because each takes a moment of the processor. */
async function countPdf(db: Database, { id }: Viewer): Promise<void> {
  const [exceeded] = await consumeRateLimit(db, [{ key: `pdf:${id}`, max: FILES_PER_HOUR, seconds: 3600 }])
  if (exceeded) throwRateLimited(exceeded.resetsAt)
}

/** Creates a PDF file and sends it. */
async function sendPdf(reply: FastifyReply, sheet: Sheet, name: string) {
  const file = await createPdf(sheet)
  reply.header('content-type', 'application/pdf')
  reply.header('content-disposition', `attachment; filename="${name.replaceAll(/[^\w-]/g, '-')}.pdf"`)
  return file
}
