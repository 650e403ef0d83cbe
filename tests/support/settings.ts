import type { SettingName, SettingValue } from '#contract/operator-settings.ts'
import type { Database } from '#server/database/database.ts'

/** Changes properties of an operator's setting at once, also where an Admin's change would wait for another Admin. */
export async function changeSettings<Name extends SettingName>(
  database: Database,
  name: Name,
  properties: Partial<SettingValue<Name>>,
): Promise<void> {
  const sql = `select apply_setting_change(name, value || $2::jsonb, 'A test', null, null) from operator_settings where name = $1`
  await database.run({ name: 'test_change_settings', sql }, [name, JSON.stringify(properties)])
}
