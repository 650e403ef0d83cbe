import type { SettingName, SettingValue } from '#contract/operator-settings.ts'
import { type Db, PIPELINED, queryOne } from '#server/database/database.ts'

const settingValue = queryOne<{ value: unknown }, [name: SettingName]>(
  'operator_setting',
  'select value from operator_settings where name = $1',
  PIPELINED,
)

/** Returns the current value of an operator's setting. */
export async function readSetting<Name extends SettingName>(db: Db, name: Name): Promise<SettingValue<Name>> {
  const { value } = await settingValue(db, name)
  return value as SettingValue<Name>
}
