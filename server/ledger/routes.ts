import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/ledger.ts'
import type { Locale } from '#contract/locales.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { clientOf } from '#server/http/client.ts'
import { page } from '#server/http/pagination.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { logExport } from '#server/security-log/log-event.ts'
import { audit } from './audit.ts'
import { CSV_HEADER, presentStatementLine, toCsvLine } from './present.ts'
import { accountHolder, readStatement, type StatementPosition, statementPositionAfter } from './statement.ts'

const CSV_PAGE_LINES = 1000

export function ledgerRoutes(app: FastifyInstance, context: Context): void {
  serve(app, context, contract.audit, () => audit(context.database))

  serve(app, context, contract.statement, async ({ db, params, query, request, reply }) => {
    const { account_id: account } = await accountHolder(db, emailKey(params.email))
    const lines = await page(
      reply,
      query,
      ['number', 'number'],
      ([id, balance], count) =>
        readStatement(
          db,
          account,
          id === null ? null : { id: id as number, balance: balance as number },
          count,
        ),
      (line) => Object.values(statementPositionAfter(line)),
    )
    const locale = requestLocale(request)
    return lines.map((line) => presentStatementLine(line, locale))
  })

  serve(app, context, contract.statementFile, async ({ db, params, viewer, request, reply }) => {
    const { id, account_id: account } = await accountHolder(db, emailKey(params.email))
    await logExport(db, id, viewer.id, clientOf(request), 'statement')
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="statement.csv"')
    return Readable.from(csvOf(db, account, viewer.locale))
  })
}

/** Streams the statement as CSV, page by page, so that a long history is never in memory as a whole. */
async function* csvOf(db: Db, account: number, locale: Locale): AsyncGenerator<string> {
  yield CSV_HEADER
  let position: StatementPosition = null
  for (;;) {
    const lines = await readStatement(db, account, position, CSV_PAGE_LINES)
    if (lines.length > 0) yield lines.map((line) => toCsvLine(line, locale)).join('')
    const last = lines.at(-1)
    if (last === undefined || lines.length < CSV_PAGE_LINES) return
    position = statementPositionAfter(last)
  }
}
