import type { SettingName } from '#contract/operator-settings.ts'
import { query, queryOne } from '#server/database/database.ts'
import { sqlFunction } from '#server/database/sql-function.ts'

export type SettingChangeRow = {
  name: SettingName
  version: number
  value: Record<string, unknown>
  changed_at: string
  reason: string
  changed_by: string | null
  admin_name: string | null
  confirmed_by: string | null
  confirmed_by_name: string | null
}

const LISTED_MAX = 50

/** Returns the latest changes of every setting: by name, newest first. The first of each name is its current value. */
export const settingChanges = query<SettingChangeRow, [names: SettingName[]]>(
  'operator_setting_changes',
  `select changes.name, changes.version, changes.value, changes.changed_at, changes.reason, changes.changed_by,
          users.name as admin_name, changes.confirmed_by, confirmers.name as confirmed_by_name
     from operator_settings as settings
     cross join lateral (
       select * from operator_setting_changes where name = settings.name order by version desc limit ${LISTED_MAX}) as changes
     left join users on users.id = changes.changed_by
     left join users as confirmers on confirmers.id = changes.confirmed_by
    where settings.name = any ($1) order by changes.name, changes.version desc`,
)

type Change = { name: SettingName; admin: string; version: number; value: string; reason: string }

/**
 * Changes a setting, or stores the change when it needs another Admin; returns whether it is in force. Throws Refusal
 * `state_conflict` when the setting was changed after this version.
 */
export const changeSetting = sqlFunction<Change, boolean>('change_operator_setting', [
  'name',
  'admin',
  'version',
  'value',
  'reason',
])

export type SettingProposalRow = {
  id: string
  name: SettingName
  value: Record<string, unknown>
  reason: string
  proposed_by: string
  proposed_by_name: string
  proposed_at: string
  due_at: string | null
}

/** Returns the changes that wait for another Admin: at most one of each setting. */
export const waitingProposals = query<SettingProposalRow, [names: SettingName[]]>(
  'setting_proposals_waiting',
  `select setting_proposals.*, users.name as proposed_by_name
     from setting_proposals join users on users.id = proposed_by
    where state = 'waiting' and setting_proposals.name = any ($1)`,
)

type Decision = [id: string, admin: string, state: 'confirmed' | 'withdrawn']

/** Confirms or withdraws a change that waits for another Admin; returns the name of its setting. */
export const decideProposal = queryOne<{ name: SettingName }, Decision>(
  'decide_setting_proposal',
  'select decide_setting_proposal($1, $2, $3) as name',
)

/** Applies a waiting change of the only Admin once its waiting time is over. Returns how many: 0 or 1. */
export const settleProposals = queryOne<{ settled: number }, []>(
  'settle_setting_proposals',
  'select settle_setting_proposals() as settled',
)
