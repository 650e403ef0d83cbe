import { query, type Tx } from '#server/database/database.ts'

const changeEmail = query<never, [id: string, email: string, emailKey: string]>(
  'user_change_email',
  'update users set email = $2, email_key = $3 where id = $1',
)

/** Copies a changed email from the identity to the user. */
export async function changeUserEmail(tx: Tx, id: string, email: string, emailKey: string): Promise<void> {
  await changeEmail(tx, id, email, emailKey)
}
