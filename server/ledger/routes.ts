import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/ledger.ts'
import type { Context } from '#server/context.ts'
import { emailKey } from '#server/email-key.ts'
import { clientOf } from '#server/http/client.ts'
import { page } from '#server/http/pagination.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { logExport } from '#server/security-log/log-event.ts'
import { audit } from './audit.ts'
import { presentStatementLine } from './present.ts'
import { accountHolder, readStatement, statementPositionAfter } from './statement.ts'
import { sendStatementCsv } from './statement-file.ts'

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
    return sendStatementCsv(reply, 'statement.csv', viewer.locale, (last, limit) =>
      readStatement(db, account, last && statementPositionAfter(last), limit),
    )
  })
}
