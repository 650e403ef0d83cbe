import type { QueryClient } from '@tanstack/react-query'
import { signIn, signOut, signUp, startOpenid } from '#contract/auth.ts'
import { pathOf } from '#contract/endpoint.ts'
import { STARTING_COINS } from '#contract/product.ts'
import { registerUser, type User, userDetails } from '#contract/users.ts'
import { ApiError, call, callPage, type Input } from '#web/lib/api.ts'
import { signUpLocale } from '#web/lib/browser-locale.ts'
import { getIdentity, type Identity, onIdentityChange, RETURNING_KEY, resetToken } from '#web/lib/id-token.ts'
import { forgetLastSession, readLastSession, saveLastSession } from '#web/lib/last-session.ts'
import { pagePath } from '#web/lib/locale.ts'

export type SessionState = {
  /** The signed-in identity, or null. */
  user: Identity | null
  /** The user record; null when the identity is not registered; undefined while loading or after an error. */
  userData: User | null | undefined
  /** True until the session is known, and while signing in or up. */
  loading: boolean
  /** The latest live event before the user's record was first loaded: data that is loaded later is newer. */
  latestEvent: string | null
}

/** The authentication context (docs/specification/screens.md#dashboard). */
export type Session = SessionState & {
  createUserByEmail: (body: Input<typeof signUp>['body']) => Promise<void>
  signIN: (email: string, password: string) => Promise<void>
  /**
   * Redirects to the identity provider, which returns the signed-in user to `returnTo`. A user who is not registered yet
   * becomes a Worker, or with `asWorker: false` is asked for the role.
   */
  signInWithGoogle: (providerId: string, returnTo?: string, options?: { asWorker: boolean }) => void
  logOut: () => Promise<void>
  /** Fetches the identity and the user record again, and returns the record. */
  refetchUser: () => Promise<User | null | undefined>
}

/** Set while the user is at an identity provider: on return they are registered as a Worker. */
const PROVIDER_SIGN_IN_KEY = 'came-by-provider'

/** Set while the user is at an identity provider, until the page that they return to knows the language of their account. */
export const SIGNING_IN_KEY = 'signing-in'

const beforeSignOut = new Set<() => Promise<unknown>>()

/** Registers work that needs the session, to be done before it ends. Returns a function that unregisters it. */
export function onSignOut(work: () => Promise<unknown>): () => void {
  beforeSignOut.add(work)
  return () => void beforeSignOut.delete(work)
}

/** Creates the session store: the signed-in identity and its user record, synchronised between tabs. */
export function sessionStore(queryClient: QueryClient) {
  let state: SessionState = { user: null, userData: undefined, loading: true, latestEvent: null }
  const subscribers = new Set<() => void>()
  let channel: BroadcastChannel | null = null

  function setState(change: Partial<SessionState>) {
    state = { ...state, ...change }
    session = { ...state, ...actions }
    for (const notify of subscribers) notify()
  }

  let reads = new AbortController()
  let sessionChange: Promise<void> | null = null

  /** Waits for a session change in progress, because a request that overlaps it fails with 401. */
  async function refetchUser(): Promise<User | null | undefined> {
    await sessionChange?.catch(() => {})
    return readUser()
  }

  async function readUser(): Promise<User | null | undefined> {
    const { signal } = reads
    const previousEmail = state.user?.email
    let user = state.user
    try {
      user = await getIdentity()
      if (previousEmail !== undefined && previousEmail !== user?.email) queryClient.clear()
      const { userData, latestEvent } = user ? await fetchUserData(user, signal) : NOBODY
      if (signal.aborted) return state.userData
      // Several endpoints return other data to another role.
      if (state.userData && userData && state.userData.role !== userData.role) queryClient.clear()
      localStorage.setItem(RETURNING_KEY, user ? '1' : '')
      if (user) saveLastSession({ user, userData })
      else forgetLastSession()
      // Data that is shown to a user who was known before may be older than this response.
      const isNew = previousEmail !== user?.email
      setState({ user, userData, loading: false, ...(isNew && { latestEvent }) })
    } catch (error) {
      if (signal.aborted) return state.userData
      // While the network is down, the known data of the same user stays on the screen.
      const isSameUser = previousEmail !== undefined && previousEmail === user?.email
      const last = isOffline(error) ? readLastSession() : null
      if (isSameUser && state.userData !== undefined) setState({ loading: false })
      else if (last && (user === null || user.email === last.user.email))
        setState({ ...last, loading: false })
      else setState({ user, userData: undefined, loading: false })
    }
    return state.userData
  }

  /** Creates an identity. It has no user record until it is registered, so none is fetched. */
  async function createUserByEmail(body: Input<typeof signUp>['body']): Promise<void> {
    setState({ loading: true })
    // After an abandoned provider sign-in, a user who signs up here chooses a role.
    sessionStorage.removeItem(PROVIDER_SIGN_IN_KEY)
    try {
      await call(signUp, { body })
      forgetLastSession()
      resetToken()
      setState({ user: await getIdentity(), userData: null })
    } finally {
      setState({ loading: false })
    }
  }

  /**
   * Runs a request that changes the session cookie, then updates this tab and notifies the others. Reads in flight are
   * cancelled.
   */
  async function changeSession(work: () => Promise<unknown>): Promise<void> {
    setState({ loading: true })
    reads.abort()
    reads = new AbortController()
    const change = (async () => {
      await work()
      forgetLastSession()
      resetToken()
      channel?.postMessage('changed')
      await readUser()
      // Lists that were loaded without a token may have masked emails.
      void queryClient.invalidateQueries({ refetchType: 'none' })
    })()
    sessionChange = change
    try {
      await change
    } finally {
      if (sessionChange === change) sessionChange = null
      setState({ loading: false })
    }
  }

  const actions = {
    refetchUser,
    createUserByEmail,
    signIN: (email: string, password: string) => {
      sessionStorage.removeItem(PROVIDER_SIGN_IN_KEY)
      return changeSession(() => call(signIn, { body: { email, password } }))
    },
    signInWithGoogle: (providerId: string, returnTo = '/dashboard', { asWorker } = { asWorker: true }) => {
      setState({ loading: true })
      sessionStorage.setItem(SIGNING_IN_KEY, '1')
      if (asWorker) sessionStorage.setItem(PROVIDER_SIGN_IN_KEY, '1')
      else sessionStorage.removeItem(PROVIDER_SIGN_IN_KEY)
      location.assign(
        `${pathOf(startOpenid, { id: providerId })}?returnTo=${encodeURIComponent(pagePath(returnTo))}`,
      )
    },
    logOut: () => {
      const inSession = [...beforeSignOut].map((work) => work())
      return changeSession(async () => {
        await Promise.allSettled(inSession)
        await queryClient.cancelQueries() // requests in flight would fail with 401
        await call(signOut, {})
      })
    },
  }

  let session: Session = { ...state, ...actions }

  return {
    changeSession,
    current: () => session,
    subscribe(notify: () => void) {
      subscribers.add(notify)
      return () => subscribers.delete(notify)
    },
    /** Fetches the session and subscribes to other tabs and token renewals. Returns a function that unsubscribes. */
    start() {
      void refetchUser()
      channel = new BroadcastChannel('session')
      channel.onmessage = () => {
        resetToken()
        void refetchUser()
      }
      const unsubscribe = onIdentityChange((user) => {
        if (state.user !== null && user === null) void refetchUser()
      })
      return () => {
        unsubscribe()
        channel?.close()
      }
    },
  }
}

/** Returns whether a request failed because no response arrived. The ID token is requested without `call`. */
function isOffline(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof ApiError && error.status === 0)
}

type Loaded = { userData: User | null; latestEvent: string | null }
const NOBODY: Loaded = { userData: null, latestEvent: null }

/**
 * Returns the user record, or null when the identity is not registered. After a provider sign-in the identity is
 * registered first; repeating that changes nothing (docs/specification/users.md).
 */
async function fetchUserData({ name, email }: Identity, signal: AbortSignal): Promise<Loaded> {
  if (sessionStorage.getItem(PROVIDER_SIGN_IN_KEY) !== null) {
    sessionStorage.removeItem(PROVIDER_SIGN_IN_KEY)
    const body = {
      name,
      email,
      roll: 'Worker' as const,
      coin: STARTING_COINS.Worker,
      locale: signUpLocale(),
    }
    return { userData: (await call(registerUser, { body })).user, latestEvent: null }
  }
  try {
    const { reply, latestEvent } = await callPage(userDetails, { params: { email } }, { signal })
    return { userData: reply, latestEvent }
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 'not_registered' && error.status !== 404)) throw error
    return NOBODY
  }
}
