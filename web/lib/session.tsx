import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import type { User } from '#contract/users.ts'
import { type Session, sessionStore } from '#web/lib/session-store.ts'

type Store = ReturnType<typeof sessionStore>
const StoreContext = createContext<Store | null>(null)

export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [store] = useState(() => sessionStore(queries))
  useEffect(() => store.open(), [store])
  return <StoreContext value={store}>{children}</StoreContext>
}

/** `user, userData, loading, createUserByEmail, signIN, signInWithGoogle, logOut, refetchUser`. */
export function useSession(): Session {
  const store = useStore()
  return useSyncExternalStore(store.subscribe, store.current, store.current)
}

/** For other ways to sign in than the context's own: runs the call that sets the cookie, then reports who it is. */
export function useSessionChange(): Store['change'] {
  return useStore().change
}

/** The signed-in person's record, in screens of the dashboard: its layout shows them only when there is one. */
export function useUserData(): User {
  const { userData } = useSession()
  if (!userData) throw new Error('This screen needs a registered person')
  return userData
}

function useStore(): Store {
  const store = useContext(StoreContext)
  if (store === null) throw new Error('The session is read inside a SessionProvider')
  return store
}
