import { type Database, query } from '#server/database/database.ts'
import type { Client } from '#server/http/client.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { changeUserProfile, type Profile } from '#server/users/change-profile.ts'

const changeName = query<never, [id: string, name: string]>(
  'identity_change_name',
  'update identities set name = $2 where id = $1',
)

/**
 * Changes what is given of the caller's own name, picture and language. Receipts keep the name they were issued to. A changed name is logged with
 * the one before, so that Admins recognize the user.
 */
export async function changeProfile(
  database: Database,
  client: Client,
  id: string,
  { name, image, locale }: Profile,
): Promise<void> {
  await database.transaction(async (tx) => {
    const nameBefore = await changeUserProfile(tx, id, { name, image, locale })
    if (name === undefined || name === nameBefore) return
    await changeName(tx, id, name)
    await logSecurityEvent(tx, {
      kind: 'name_changed',
      params: { from: nameBefore, to: name },
      client,
      identityId: id,
    })
  })
}
