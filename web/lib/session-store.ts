import type { QueryClient } from '@tanstack/react-query'
import { signIn, signOut, signUp } from '#contract/auth.ts'
import { STARTING_COINS } from '#contract/product.ts'
import { registerUser, type User, userDetails } from '#contract/users.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { forgetToken, type Identity, identity, onIdentity } from '#web/lib/token.ts'

export type SessionState = {
  /** The signed-in identity, or null. */
  user: Identity | null
  /** Their record; null when they are not registered yet; undefined while unknown or when it could not be read. */
  userData: User | null | undefined
  /** True until the session is known, and while signing in or up. */
  loading: boolean
}

/** The authentication context (docs/specification/screens.md#dashboard). */
export type Session = SessionState & {
  createUserByEmail: (person: { name: string; email: string; password: string }) => Promise<void>
  signIN: (email: string, password: string) => Promise<void>
  /** Leaves for the provider and comes back to `returnTo`, signed in. */
  signInWithGoogle: (providerId: string, returnTo?: string) => void
  logOut: () => Promise<void>
  /** Reads again who is signed in and their record, and gives the record. */
  refetchUser: () => Promise<User | null | undefined>
}

/** Marks a visit to an identity provider, whose people are registered as Workers on their return. */
const CAME_BY_PROVIDER = 'came-by-provider'
/** Read by the page's first script, so that a returning person does not see a stranger's buttons. */
const RETURNING = 'returning'

/** The session of this tab, in step with the other tabs: who is signed in, and what the server knows of them. */
export function sessionStore(queries: QueryClient) {
  let state: SessionState = { user: null, userData: undefined, loading: true }
  const subscribers = new Set<() => void>()
  let tabs: BroadcastChannel | null = null

  function set(change: Partial<SessionState>) {
    state = { ...state, ...change }
    session = { ...state, ...actions }
    for (const notify of subscribers) notify()
  }

  async function refetchUser(): Promise<User | null | undefined> {
    const before = state.user?.email
    let user = state.user
    try {
      user = await identity()
      if (before !== undefined && before !== user?.email) queries.clear()
      const userData = user && (await recordOf(user))
      localStorage.setItem(RETURNING, user ? '1' : '')
      set({ user, userData, loading: false })
    } catch {
      // What is known of the same person stays on the screen while the line is down.
      const same = before !== undefined && before === user?.email
      set(same ? { loading: false } : { userData: undefined, loading: false })
    }
    return state.userData
  }

  /** A new identity has no record yet: there is nothing to read before it is registered. */
  async function createUserByEmail(person: { name: string; email: string; password: string }): Promise<void> {
    set({ loading: true })
    // Who tried a provider before and then signs up here chooses their own role.
    sessionStorage.removeItem(CAME_BY_PROVIDER)
    try {
      await call(signUp, { body: person })
      forgetToken()
      set({ user: await identity(), userData: null })
    } finally {
      set({ loading: false })
    }
  }

  /** Runs something that changes the session's cookie, and reports what came of it here and to the other tabs. */
  async function change(work: () => Promise<unknown>): Promise<void> {
    set({ loading: true })
    try {
      await work()
      forgetToken()
      tabs?.postMessage('changed')
      await refetchUser()
    } finally {
      set({ loading: false })
    }
  }

  const actions = {
    refetchUser,
    createUserByEmail,
    signIN: (email: string, password: string) => {
      sessionStorage.removeItem(CAME_BY_PROVIDER)
      return change(() => call(signIn, { body: { email, password } }))
    },
    signInWithGoogle: (providerId: string, returnTo = '/dashboard') => {
      set({ loading: true })
      sessionStorage.setItem(CAME_BY_PROVIDER, '1')
      location.assign(`/api/auth/oidc/${providerId}/start?returnTo=${encodeURIComponent(returnTo)}`)
    },
    logOut: () =>
      change(async () => {
        await queries.cancelQueries() // what is still under way would come back as a refusal
        await call(signOut, {})
      }),
  }

  let session: Session = { ...state, ...actions }

  return {
    change,
    current: () => session,
    subscribe(notify: () => void) {
      subscribers.add(notify)
      return () => subscribers.delete(notify)
    },
    /** Begins to listen to the other tabs and to renewals that find the session ended. */
    open() {
      void refetchUser()
      tabs = new BroadcastChannel('session')
      tabs.onmessage = () => {
        forgetToken()
        void refetchUser()
      }
      const stop = onIdentity((user) => {
        if (state.user !== null && user === null) void refetchUser()
      })
      return () => {
        stop()
        tabs?.close()
      }
    },
  }
}

/**
 * The person's record, or null when they have an identity and are not registered. Who comes from a provider is
 * registered each time they come, which changes nothing after the first (docs/specification/users.md).
 */
async function recordOf({ name, email }: Identity): Promise<User | null> {
  if (sessionStorage.getItem(CAME_BY_PROVIDER) !== null) {
    sessionStorage.removeItem(CAME_BY_PROVIDER)
    const body = { name, email, roll: 'Worker' as const, coin: STARTING_COINS.Worker }
    return (await call(registerUser, { body })).user
  }
  try {
    return await call(userDetails, { params: { email } })
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 'not_registered' && error.status !== 404)) throw error
    return null
  }
}
