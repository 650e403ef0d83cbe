import { PIPELINED, query } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'

export type ExchangeRateRow = {
  id: string
  rate: string
  source: string
  entered_at: string
  expires_at: string
  admin_name: string
}

const COLUMNS = `rates.id, rates.rate, rates.source, rates.entered_at, rates.expires_at, users.name as admin_name`

export const enterExchangeRate = query<
  never,
  [id: string, adminId: string, rate: string, source: string, hours: number]
>('enter_exchange_rate', 'select enter_exchange_rate($1, $2, $3, $4, $5)')

export const currentExchangeRate = query<ExchangeRateRow, []>(
  'current_exchange_rate',
  `select ${COLUMNS} from exchange_rates as rates join users on users.id = rates.entered_by
    where rates.id = (select current_exchange_rate())`,
  PIPELINED,
)

export const exchangeRatesNewestFirst = query<
  ExchangeRateRow,
  [enteredAt: string | null, id: string | null, limit: number]
>(
  'exchange_rates_newest_first',
  `select ${COLUMNS} from exchange_rates as rates join users on users.id = rates.entered_by
    where (rates.entered_at, rates.id) < (coalesce($1::timestamptz, 'infinity'), ${beforeCursor('$2', 'uuid')})
    order by rates.entered_at desc, rates.id desc limit $3`,
)
