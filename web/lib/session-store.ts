import type { QueryClient } from '@tanstack/react-query'
import { signIn, signOut, signUp, startOpenid } from '#contract/auth.ts'
import { pathOf } from '#contract/endpoint.ts'
import { splitLocale } from '#contract/locales.ts'
import { coinRole, type User } from '#contract/users.ts'
import { ApiError, call, type Input } from '#web/lib/api.ts'
import { fetchUserData } from '#web/lib/fetch-user-data.ts'
import {
  getIdentity,
  getLatestEvent,
  type Identity,
  onIdentityChange,
  RETURNING_KEY,
  resetToken,
} from '#web/lib/id-token.ts'
import { TRANSFER_KEY } from '#web/lib/language-switch.ts'
import {
  dropLastSession,
  forgetLastSession,
  PROVIDER_SIGN_IN_KEY,
  readLastSession,
  saveLastSession,
} from '#web/lib/last-session.ts'
import { pagePath } from '#web/lib/locale.ts'
import { moveToUserId } from '#web/lib/move-to-user-id.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { runAfterSignOut, runBeforeSignOut } from '#web/lib/sign-out-hooks.ts'

export type SessionState = {
  /** The signed-in identity, or null. */
  user: Identity | null
  /** The user record; null when the identity is not registered; undefined while loading or after an error. */
  userData: User | null | undefined
  /** True until the session is known, and while signing in or up. */
  loading: boolean
  /**
   * The latest live event before anything was loaded for this user: data that is loaded later is newer. Null when it is not
   * known, undefined until the server has responded.
   */
  latestEvent: string | null | undefined
  /** The number of times that the user has signed out in this tab. */
  signOuts: number
}

/** The authentication context (docs/specification/screens.md#dashboard). */
export type Session = SessionState & {
  createUserByEmail: (body: Input<typeof signUp>['body']) => Promise<Identity | null>
  signIN: (email: string, password: string) => Promise<void>
  /**
   * Redirects to the identity provider, which returns the signed-in user to `returnTo`. A user who is not registered yet
   * becomes a Worker, or with `asWorker: false` is asked for the role.
   */
  signInWithGoogle: (providerId: string, returnTo?: string, options?: { asWorker: boolean }) => void
  logOut: () => Promise<void>
  /** Fetches the identity and the user record again, and returns the record. */
  refetchUser: () => Promise<User | null | undefined>
  /** As `refetchUser`, unless that has begun in the last seconds, such as for the page that opens. */
  refetchUserIfStale: () => void
}

/** The user's record is not fetched again within this time because another screen opens. */
const FRESH_MS = 15_000

/** Set while the user is at an identity provider, until the page that they return to knows the language of their account. */
export const SIGNING_IN_KEY = 'signing-in'

/** Creates the session store: the signed-in identity and its user record, synchronised between tabs. */
export function sessionStore(queryClient: QueryClient) {
  let state: SessionState = {
    user: null,
    userData: undefined,
    loading: true,
    latestEvent: undefined,
    signOuts: 0,
  }
  const subscribers = new Set<() => void>()
  let channel: BroadcastChannel | null = null

  function setState(change: Partial<SessionState>) {
    state = { ...state, ...change }
    session = { ...state, ...actions }
    for (const notify of subscribers) notify()
  }

  let reads = new AbortController()
  let readAt = Number.NEGATIVE_INFINITY
  /** The numbers of the last read that began, and of the newest one that has finished. */
  let lastRead = 0
  let newestRead = 0
  let sessionChange: Promise<void> | null = null

  /** Waits for a session change in progress, because a request that overlaps it fails with 401. */
  async function refetchUser(): Promise<User | null | undefined> {
    await sessionChange?.catch(() => {})
    return readUser()
  }

  async function readUser(): Promise<User | null | undefined> {
    const { signal } = reads
    const number = ++lastRead
    // A slower read brings an older record than a later one has brought. Where that found none, this one may have registered it.
    const isOutdated = () => signal.aborted || (number < newestRead && Boolean(state.userData))
    readAt = performance.now()
    const previousEmail = state.user?.email
    let user = state.user
    try {
      user = await getIdentity()
      if (previousEmail !== undefined && previousEmail !== user?.email) queryClient.clear()
      const latestEvent = await getLatestEvent()
      // The dashboard's header asks for them itself.
      if (user) void queryClient.invalidateQueries({ queryKey: queryKeyOf(coinRole) })
      const userData = user ? await fetchUserData(user, signal) : null
      if (isOutdated()) return state.userData
      newestRead = Math.max(newestRead, number)
      // Several endpoints return other data to another role.
      if (state.userData && userData && state.userData.role !== userData.role) queryClient.clear()
      localStorage.setItem(RETURNING_KEY, user ? '1' : '')
      if (userData) moveToUserId(userData)
      if (user) saveLastSession({ user, userData })
      else forgetLastSession()
      // In other tabs it was not registered yet.
      if (state.user && state.userData === null && userData) channel?.postMessage('changed')
      // Data that was loaded for this user before may be older than this token.
      const isNew = previousEmail !== user?.email || state.latestEvent === undefined
      setState({ user, userData, loading: false, ...(isNew && { latestEvent }) })
    } catch (error) {
      if (isOutdated()) return state.userData
      newestRead = Math.max(newestRead, number)
      // While the network is down, the known data of the same user stays on the screen.
      const isSameUser = previousEmail !== undefined && previousEmail === user?.email
      const last = isOffline(error) ? readLastSession() : null
      const { latestEvent = null } = state
      if (isSameUser && state.userData !== undefined) setState({ loading: false, latestEvent })
      else if (last && (user === null || user.email === last.user.email))
        setState({ ...last, loading: false, latestEvent })
      else setState({ user, userData: undefined, loading: false, latestEvent })
    }
    return state.userData
  }

  /**
   * Creates an identity. It has no user record until it is registered, so none is fetched. Returns the identity, or null where
   * it is signed in only after its email was verified.
   */
  async function createUserByEmail(body: Input<typeof signUp>['body']): Promise<Identity | null> {
    setState({ loading: true })
    // After an abandoned provider sign-in, a user who signs up here chooses a role.
    sessionStorage.removeItem(PROVIDER_SIGN_IN_KEY)
    try {
      await call(signUp, { body })
      forgetLastSession()
      resetToken()
      channel?.postMessage('changed')
      const user = await getIdentity()
      setState({ user, userData: null })
      return user
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
      dropLastSession()
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

  /** Runs a request that signs out. Nothing of the user stays, also when the new session cannot be read. */
  function endSession(signOutByRequest: () => Promise<unknown>): Promise<void> {
    return changeSession(async () => {
      await signOutByRequest()
      runAfterSignOut()
      forgetLastSession()
      setState({ user: null, userData: null, signOuts: state.signOuts + 1 })
      queryClient.clear()
    })
  }

  const actions = {
    refetchUser,
    refetchUserIfStale: () => {
      if (performance.now() - readAt > FRESH_MS) void refetchUser()
    },
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
      sessionStorage.removeItem(TRANSFER_KEY)
      const workInSession = runBeforeSignOut()
      return endSession(async () => {
        await workInSession
        await queryClient.cancelQueries() // requests in flight would fail with 401
        await call(signOut, {})
      })
    },
  }

  let session: Session = { ...state, ...actions }

  return {
    changeSession,
    endSession,
    current: () => session,
    subscribe(notify: () => void) {
      subscribers.add(notify)
      return () => subscribers.delete(notify)
    },
    /** Fetches the session and subscribes to other tabs and token renewals. Returns a function that unsubscribes. */
    start() {
      const last = readLastSession()
      // Also when the email has changed elsewhere since.
      if (last?.userData) moveToUserId(last.userData)
      if (last?.userData && isDashboard()) setState({ ...last, loading: false })
      channel = new BroadcastChannel('session')
      const isReturn = sessionStorage.getItem(SIGNING_IN_KEY) !== null
      void refetchUser().then(() => {
        if (isReturn && state.user) channel?.postMessage('changed')
      })
      const readNewSession = () => {
        resetToken()
        void refetchUser()
      }
      channel.onmessage = readNewSession
      const unsubscribe = onIdentityChange((user) => {
        if (state.user !== null && state.user.email !== user?.email) void refetchUser()
      })
      // Back may show the page as it was left: loading, or with a user who has signed in or out since.
      const onPageShow = ({ persisted }: PageTransitionEvent) => {
        if (persisted) readNewSession()
      }
      addEventListener('pageshow', onPageShow)
      return () => {
        removeEventListener('pageshow', onPageShow)
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

/**
 * Returns whether the page may start with the user of the last session: only the dashboard, which asks others to sign in,
 * and not on return from an identity provider, where somebody else may have signed in.
 */
function isDashboard(): boolean {
  const { path } = splitLocale(location.pathname)
  return path.startsWith('/dashboard') && sessionStorage.getItem(SIGNING_IN_KEY) === null
}
