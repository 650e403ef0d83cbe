import type { SettingName, SettingValue } from '#contract/operator-settings.ts'
import type { Database } from '#server/database/database.ts'

/** Changes properties of an operator's setting, as an Admin does. */
export async function changeSettings<Name extends SettingName>(
  database: Database,
  name: Name,
  properties: Partial<SettingValue<Name>>,
): Promise<void> {
  await database.pool.query(
    `select change_operator_setting(name, null, version, value || $2::jsonb, 'A test') from operator_settings where name = $1`,
    [name, JSON.stringify(properties)],
  )
}
