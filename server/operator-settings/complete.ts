import type pg from 'pg'
import { OPERATOR_SETTINGS } from '#contract/operator-settings.ts'
import type { FunctionSet } from '#server/database/function-set.ts'

/** Gives every operator's setting a row, and every property that is new in this version its default. */
export async function completeSettings(client: pg.ClientBase, functions: FunctionSet): Promise<void> {
  const defaults = Object.entries(OPERATOR_SETTINGS).map(([name, setting]) => [name, setting.default])
  const sql = functions.qualify('select complete_operator_settings($1)')
  await client.query(sql, [JSON.stringify(Object.fromEntries(defaults))])
}
