import { useIdentity } from './identity.ts'

/** The calls of identity, for tests that follow the links of mails. Call it inside `describe`. */
export function useMailLinks() {
  const identity = useIdentity()

  const post = (path: string, json: object) => identity.visitor().once(`/api/auth/${path}`, { json })
  const signIn = async (email: string, password: string) =>
    (await post('sign-in', { email, password })).status
  const isVerified = async (email: string) => {
    const { rows } = await identity.database.pool.query<{ verified: boolean }>(
      'select email_verified_at is not null as verified from identities where email = $1',
      [email],
    )
    return rows[0]?.verified
  }
  /** A member who has asked for a reset, and the token from the mail. */
  async function aUserWithResetLink() {
    const member = await identity.aMember()
    await post('request-reset', { email: member.email })
    return { ...member, reset: await identity.tokenIn(member.email, 'reset-password') }
  }

  return { identity, post, signIn, isVerified, aUserWithResetLink }
}
