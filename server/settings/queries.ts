import type { SettingName } from '#contract/operator-settings.ts'
import { query } from '#server/database/database.ts'
import { sqlFunction } from '#server/database/sql-function.ts'

export type SettingChangeRow = {
  name: SettingName
  version: number
  value: Record<string, unknown>
  changed_at: string
  reason: string
  admin_name: string | null
}

const LISTED_MAX = 50

/** Returns the latest changes of every setting: by name, newest first. The first of each name is its current value. */
export const settingChanges = query<SettingChangeRow, [names: SettingName[]]>(
  'operator_setting_changes',
  `select changes.name, changes.version, changes.value, changes.changed_at, changes.reason, users.name as admin_name
     from operator_settings as settings
     cross join lateral (
       select * from operator_setting_changes where name = settings.name order by version desc limit ${LISTED_MAX}) as changes
     left join users on users.id = changes.changed_by
    where settings.name = any ($1) order by changes.name, changes.version desc`,
)

type Change = { name: SettingName; admin: string; version: number; value: string; reason: string }

/** Changes a setting. Throws Refusal `state_conflict` when it was changed after this version. */
export const changeSetting = sqlFunction<Change>('change_operator_setting', [
  'name',
  'admin',
  'version',
  'value',
  'reason',
])
