import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/ledger.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { audit } from './audit.ts'
import { CSV_HEAD, csvLine, presentLine } from './present.ts'
import { accountOfEmail, type Position, readStatement, statementPositionAfter } from './statement.ts'

const FILE_PAGE = 1000

export function ledgerRoutes(app: FastifyInstance, context: Context): void {
  serve(app, context, contract.audit, () => audit(context.database))

  serve(app, context, contract.statement, async ({ db, params, query, reply }) => {
    const account = await accountOfEmail(db, emailKey(params.email))
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
    return lines.map(presentLine)
  })

  serve(app, context, contract.statementFile, async ({ db, params, reply }) => {
    const account = await accountOfEmail(db, emailKey(params.email))
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="statement.csv"')
    return Readable.from(csvOf(db, account))
  })
}

/** The file page by page, so that a long history is never in memory as a whole. */
async function* csvOf(db: Db, account: number): AsyncGenerator<string> {
  yield CSV_HEAD
  let from: Position = null
  for (;;) {
    const lines = await readStatement(db, account, from, FILE_PAGE)
    if (lines.length > 0) yield lines.map(csvLine).join('')
    const last = lines.at(-1)
    if (last === undefined || lines.length < FILE_PAGE) return
    from = statementPositionAfter(last)
  }
}
