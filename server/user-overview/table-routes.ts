import type { FastifyInstance } from 'fastify'
import { PAYMENT_SYSTEM_NAMES } from '#contract/amounts.en.ts'
import * as contract from '#contract/user-table.ts'
import type { RouteContext } from '#server/context.ts'
import { clientOf } from '#server/http/client.ts'
import { requireExportable, sendCsv } from '#server/http/csv-file.ts'
import { type KeyPart, page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { logExport } from '#server/security-log/log-event.ts'
import { type Order, totalsOfTable, type UserTableRow, usersInTable } from './table-queries.ts'

/** A file is in an order that does not change while it is sent, so that nobody is missing or listed twice. */
const FILE_ORDER: Order = { sort: 'joined', isAscending: false }

const HEADING = [
  'Id',
  'Name',
  'Email',
  'Role',
  'Balance',
  'Debt',
  'Joined',
  'Last seen',
  'Tasks posted',
  'Work decided',
  'Approval percent',
  'Frozen',
  'Risk score',
  'Reviewer',
  'Destinations',
]

export function tableRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.userTable, async ({ db, query, reply }) => {
    const { sort = 'joined' } = query
    const order = { sort, isAscending: (query.order ?? (sort === 'name' ? 'asc' : 'desc')) === 'asc' }
    const rows = await page(
      reply,
      query,
      cursorShape(sort),
      (after, count) => {
        const id = after.at(-1) as string | null
        const key = (sort === 'joined' ? null : after[0]) ?? null
        return usersInTable(db, query, order, id === null ? null : { key, id }, count)
      },
      (row) => (row.key === null ? [row.id] : [row.key, row.id]),
    )
    return rows.map(presentRow)
  })

  serve(app, context, contract.userTotals, ({ db, query }) => totalsOfTable(db, query))

  serve(app, context, contract.userTableFile, async ({ db, query, viewer, request, reply }) => {
    const { users } = await totalsOfTable(db, query)
    requireExportable(users)
    await logExport(db, viewer.id, viewer.id, clientOf(request), 'users')
    return sendCsv(reply, {
      name: 'users.csv',
      heading: HEADING,
      read: (last: UserTableRow | null, limit) => usersInTable(db, query, FILE_ORDER, last, limit),
      cells: cellsOf,
    })
  })
}

function cursorShape(sort: contract.UserSort): KeyPart[] {
  if (sort === 'joined') return ['id']
  return [sort === 'name' ? 'text' : 'number', 'id']
}

function presentRow(row: UserTableRow): contract.UserTableRow {
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    image: row.image,
    role: row.role,
    coins: row.coins,
    debt: row.debt,
    joinedAt: row.joined_at,
    lastSeenAt: row.last_seen_at,
    tasks: row.tasks,
    work: row.work,
    approvalPercent: row.approval_percent,
    isReviewer: row.is_reviewer,
    isFrozen: row.is_frozen,
    riskScore: row.risk_score,
    destinations: row.destinations,
  }
}

function cellsOf(row: UserTableRow): (string | number)[] {
  return [
    row.id,
    row.name,
    row.email,
    row.role,
    row.coins,
    row.debt,
    row.joined_at,
    row.last_seen_at ?? '',
    row.tasks,
    row.work,
    row.approval_percent ?? '',
    row.is_frozen ? 'yes' : 'no',
    row.risk_score ?? '',
    row.is_reviewer ? 'yes' : 'no',
    row.destinations
      .map(({ system, accountNumber }) => `${PAYMENT_SYSTEM_NAMES[system]} ${accountNumber}`)
      .join('; '),
  ]
}
