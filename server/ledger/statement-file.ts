import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Locale } from '#contract/locales.ts'
import { sendCsv } from '#server/http/csv-file.ts'
import { presentStatementLine } from './present.ts'
import type { StatementLine } from './statement.ts'

/** Streams the lines of a statement as CSV; `read` returns those after `last` (null: the newest ones). */
export function sendStatementCsv(
  reply: FastifyReply,
  name: string,
  locale: Locale,
  read: (last: StatementLine | null, limit: number) => Promise<StatementLine[]>,
): Readable {
  return sendCsv(reply, {
    name,
    heading: ['time', 'kind', 'text', 'coins', 'balance', 'debt'],
    read,
    cells: (row) => {
      const { time, kind, text, coins, balance, debt } = presentStatementLine(row, locale)
      return [time, kind, text, coins, balance, debt]
    },
    quotedColumn: 2,
  })
}
