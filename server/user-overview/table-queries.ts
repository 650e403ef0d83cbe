import type { Role } from '#contract/endpoint.ts'
import type { PaymentSystem } from '#contract/product.ts'
import { Id } from '#contract/shapes.ts'
import { HIGH_RISK, USER_SORTS, type UserFlag, type UserSort } from '#contract/user-table.ts'
import { type Db, query, queryOne } from '#server/database/database.ts'
import { afterCursor, beforeCursor } from '#server/database/keyset.ts'
import { searchWords, spellingsOf } from '#server/database/search-words.ts'
import { destinationKeysOf, isHeldBy, typedAccounts } from './destination-keys.ts'

export type UserTableRow = {
  id: string
  /** What the rows are sorted by; null where it is the id. */
  key: string | number | null
  name: string
  email: string
  image: string
  role: Role
  coins: number
  debt: number
  joined_at: string
  last_seen_at: string | null
  tasks: number
  work: number
  approval_percent: number | null
  is_reviewer: boolean
  is_frozen: boolean
  risk_score: number | null
  destinations: { system: PaymentSystem; accountNumber: string }[]
}

export type Filter = { q?: string | undefined; role?: Role | undefined; flag?: UserFlag | undefined }
export type Order = { sort: UserSort; isAscending: boolean }
/** The last row of the page before. */
export type Position = { key: string | number | null; id: string } | null

const WORKER_RECORD = 'left join worker_records as worked on worked.worker_id = users.id'
const BUYER_RECORD = 'left join buyer_records as bought on bought.buyer_id = users.id'
/** Of a Buyer: of the work on their tasks. Null while nothing is decided. */
const APPROVED_SHARE = `case users.role
  when 'Buyer' then (bought.record ->> 'approved')::numeric / nullif((bought.record ->> 'decided')::numeric, 0)
  else worked.approved::numeric / nullif(worked.approved + worked.rejected, 0) end`

type Sort = { key: string; type: 'bigint' | 'text'; joins: string }
const number = (key: string, joins: string): Sort => ({ key: `(${key})::bigint`, type: 'bigint', joins })

/** What each order sorts by. By `joined` it is the id, which has the time. */
const SORTS: Record<Exclude<UserSort, 'joined'>, Sort> = {
  name: { key: 'left(lower(users.name), 40) collate "C"', type: 'text', joins: '' },
  balance: number('accounts.balance', ''),
  seen: number(
    'coalesce(extract(epoch from seen.at) * 1000, 0)',
    'left join (select identity_id, max(seen_at) as at from sessions group by identity_id) as seen on seen.identity_id = users.id',
  ),
  tasks: number(
    'coalesce(posted.tasks, 0)',
    'left join (select buyer_id, count(*) as tasks from tasks group by buyer_id) as posted on posted.buyer_id = users.id',
  ),
  work: number('coalesce(worked.approved + worked.rejected, 0)', WORKER_RECORD),
  approval: number(`coalesce(${APPROVED_SHARE} * 10000, -1)`, `${WORKER_RECORD} ${BUYER_RECORD}`),
}

// Subqueries that do not depend on the row, so that each runs once.
const HAS_FLAG = `case $2::text
  when 'frozen' then users.id in (select user_id from freezes where ended_at is null and withdrawal_id is null)
  when 'risk' then users.id in (select worker_id from withdrawals
                                  join risk_assessments on risk_assessments.withdrawal_id = withdrawals.id
                                 where status = 'pending' and score >= ${HIGH_RISK})
  when 'debt' then accounts.debt > 0
  when 'reviewer' then users.is_reviewer end`

/** Returns a condition that finds users by words of names and emails, account number, account holder and id: each part has an index. */
const foundBy = (first: number) => `users.id in (
  select id from users where search @@ to_tsquery('simple', $${first}::text)
  union all select worker_id from withdrawals where account_keys(payment_system, account_number) && ${destinationKeysOf(`$${first + 1}`)}
  union all select user_id from payout_destinations where account_keys(payment_system, account_number) && ${destinationKeysOf(`$${first + 1}`)}
  union all select (select worker_id from withdrawals where id = withdrawal_id) from payouts
             where state = 'failed' and account_keys(payment_system, account_number) && ${destinationKeysOf(`$${first + 1}`)}
  union all select user_id from payout_destinations where ${isHeldBy(`$${first + 2}`)}
  union all select $${first + 3}::uuid)`

type Shape = { isSearch: boolean; isFlagged: boolean }

const nameOf = ({ isSearch, isFlagged }: Shape) => `${isFlagged ? '_flag' : ''}${isSearch ? '_search' : ''}`

/** Returns the conditions of a filter. $1 is the role, $2 the flag. */
const conditions = ({ isSearch, isFlagged }: Shape, firstOfSearch: number) =>
  [
    'users.deleted_at is null and ($1::user_role is null or users.role = $1)',
    isFlagged ? HAS_FLAG : '$2::text is null',
    ...(isSearch ? [foundBy(firstOfSearch)] : []),
  ].join(' and ')

const FROM = 'users join ledger_accounts as accounts on accounts.id = users.account_id'

/** Returns SQL for a page of users: $3 is the limit, $4 the id of the last row before, $5 what that row was sorted by. */
function pageSql({ sort, isAscending }: Order, shape: Shape): string {
  const { key, type, joins } = sort === 'joined' ? { key: null, type: null, joins: '' } : SORTS[sort]
  const [after, than, direction] = isAscending ? [afterCursor, '>', 'asc'] : [beforeCursor, '<', 'desc']
  const position =
    key === null
      ? `users.id ${than} ${after('$4', 'uuid')}`
      : `(${key}, users.id) ${than} (${keyBound(type, isAscending)}, ${after('$4', 'uuid')})`
  return `
    with page as (
      select users.id, ${key ?? 'null::bigint'} as key from ${FROM} ${joins}
       where ${conditions(shape, key === null ? 5 : 6)} and ${position}
       order by ${key === null ? '' : `${key} ${direction}, `}users.id ${direction} limit $3)
    select users.id, page.key, users.name, users.email, users.image, users.role, accounts.balance as coins, accounts.debt,
           users.created_at as joined_at, (select max(seen_at) from sessions where identity_id = users.id) as last_seen_at,
           (select count(*) from tasks where buyer_id = users.id) as tasks,
           coalesce(worked.approved + worked.rejected, 0) as work, round(${APPROVED_SHARE} * 100)::int as approval_percent,
           users.is_reviewer, is_frozen(users.id) as is_frozen,
           (select max((select score from risk_assessments where withdrawal_id = withdrawals.id)) from withdrawals
             where worker_id = users.id and status = 'pending') as risk_score,
           (select coalesce(jsonb_agg(jsonb_build_object('system', payment_system, 'accountNumber', account_number) order by id), '[]')
              from payout_destinations where user_id = users.id and state <> 'removed') as destinations
      from page join users on users.id = page.id join ledger_accounts as accounts on accounts.id = users.account_id
      ${WORKER_RECORD} ${BUYER_RECORD}
     order by ${key === null ? '' : `page.key ${direction}, `}page.id ${direction}`
}

/** Returns SQL for the bound of $5. Names sort before the last code point. */
function keyBound(type: 'bigint' | 'text' | null, isAscending: boolean): string {
  if (type === 'text') return `coalesce($5::text, ${isAscending ? "''" : 'chr(1114111)'}) collate "C"`
  return isAscending ? afterCursor('$5', 'bigint') : beforeCursor('$5', 'bigint')
}

const SHAPES: Shape[] = [false, true].flatMap((isSearch) =>
  [false, true].map((isFlagged) => ({ isSearch, isFlagged })),
)
const pageName = ({ sort, isAscending }: Order, shape: Shape) =>
  `users_table_${sort}_${isAscending ? 'asc' : 'desc'}${nameOf(shape)}`

// One statement for each order and combination of filters, so that each has a plan of its own.
const PAGES = new Map(
  USER_SORTS.flatMap((sort) =>
    [true, false].flatMap((isAscending) =>
      SHAPES.map((shape) => {
        const name = pageName({ sort, isAscending }, shape)
        return [name, query<UserTableRow, unknown[]>(name, pageSql({ sort, isAscending }, shape))] as const
      }),
    ),
  ),
)

type Totals = { users: number; coins: number; debt: number }
const TOTALS = new Map(
  SHAPES.map((shape) => [
    nameOf(shape),
    queryOne<Totals, unknown[]>(
      `users_table_totals${nameOf(shape)}`,
      `select count(*) as users, coalesce(sum(accounts.balance), 0)::bigint as coins,
              coalesce(sum(accounts.debt), 0)::bigint as debt
         from ${FROM} where ${conditions(shape, 3)}`,
    ),
  ]),
)

const shapeOf = ({ q, flag }: Filter): Shape => ({ isSearch: isTyped(q), isFlagged: flag !== undefined })
const isTyped = (q: string | undefined): q is string => q !== undefined && q.trim() !== ''
const searchValues = ({ q }: Filter) =>
  isTyped(q)
    ? [searchWords(q), typedAccounts(q), spellingsOf(q.trim()), Id.safeParse(q.trim()).data ?? null]
    : []

/** Returns a page of users after a position (null: the first page). */
export function usersInTable(
  db: Db,
  filter: Filter,
  order: Order,
  after: Position,
  limit: number,
): Promise<UserTableRow[]> {
  const read = found(PAGES, pageName(order, shapeOf(filter)))
  const position = order.sort === 'joined' ? [after?.id ?? null] : [after?.id ?? null, after?.key ?? null]
  return read(db, filter.role ?? null, filter.flag ?? null, limit, ...position, ...searchValues(filter))
}

/** Returns the totals of the users that a filter finds. */
export function totalsOfTable(db: Db, filter: Filter): Promise<Totals> {
  const read = found(TOTALS, nameOf(shapeOf(filter)))
  return read(db, filter.role ?? null, filter.flag ?? null, ...searchValues(filter))
}

function found<Read>(statements: Map<string, Read>, name: string): Read {
  const read = statements.get(name)
  if (read === undefined) throw new Error(`No statement ${name}`)
  return read
}
