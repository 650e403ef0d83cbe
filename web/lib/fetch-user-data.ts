import { STARTING_COINS } from '#contract/product.ts'
import { registerUser, type User, userDetails } from '#contract/users.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { signUpLocale } from '#web/lib/browser-locale.ts'
import { store } from '#web/lib/browser-storage.ts'
import type { Identity } from '#web/lib/id-token.ts'
import { NEW_WORKER_KEY, PROVIDER_SIGN_IN_KEY } from '#web/lib/last-session.ts'

/**
 * Returns the user record, or null when the identity is not registered. After a provider sign-in the identity is
 * registered first; repeating that changes nothing (docs/specification/users.md).
 */
export async function fetchUserData({ name, email }: Identity, signal: AbortSignal): Promise<User | null> {
  if (sessionStorage.getItem(PROVIDER_SIGN_IN_KEY) !== null) {
    sessionStorage.removeItem(PROVIDER_SIGN_IN_KEY)
    const body = {
      name,
      email,
      roll: 'Worker' as const,
      coin: STARTING_COINS.Worker,
      locale: signUpLocale(),
    }
    const { insertedId, user } = await call(registerUser, { body })
    if (insertedId !== null) store(NEW_WORKER_KEY, insertedId)
    return user
  }
  try {
    return await call(userDetails, { params: { email } }, { signal })
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 'not_registered' && error.status !== 404)) throw error
    return null
  }
}
