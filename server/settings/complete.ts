import type pg from 'pg'
import { OPERATOR_SETTINGS } from '#contract/operator-settings.ts'

/** Gives every operator's setting a row, and every property that is new in this version its default. */
export async function completeSettings(client: pg.ClientBase): Promise<void> {
  const defaults = Object.entries(OPERATOR_SETTINGS).map(([name, setting]) => [name, setting.default])
  await client.query('select complete_operator_settings($1)', [JSON.stringify(Object.fromEntries(defaults))])
}
