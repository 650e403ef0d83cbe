import type { PayoutFileColumn, PayoutFileProfile } from '#contract/payout-files.ts'
import { query, queryOne } from '#server/database/database.ts'

export type ProfileRow = {
  id: string
  name: string
  note: string
  columns: PayoutFileColumn[]
  version: number
  changed_at: string
  changed_by: string | null
  admin_name: string | null
}

export const listProfiles = query<ProfileRow, []>(
  'payout_file_profiles_by_name',
  `select profiles.id, profiles.name, profiles.note, profiles.columns, profiles.version, profiles.changed_at,
          profiles.changed_by, users.name as admin_name
     from payout_file_profiles as profiles left join users on users.id = profiles.changed_by order by profiles.name`,
)
export const saveProfile = queryOne<
  { modified: number },
  [id: string, adminId: string, version: number, name: string, note: string, columns: string]
>('save_payout_file_profile', 'select save_payout_file_profile($1, $2, $3, $4, $5, $6) as modified')
export const deleteProfile = query<never, [id: string, adminId: string]>(
  'delete_payout_file_profile',
  'select delete_payout_file_profile($1, $2)',
)

export function presentFileProfile(row: ProfileRow): PayoutFileProfile {
  const { id, name, note, columns, version } = row
  const { changed_by: changedById, admin_name: changedBy, changed_at: changedAt } = row
  return { _id: id, name, note, columns, version, changedBy, changedById, changedAt }
}
