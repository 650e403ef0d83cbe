import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import type { User } from '#contract/users.ts'
import { type Session, sessionStore } from '#web/lib/session-store.ts'

type Store = ReturnType<typeof sessionStore>
const StoreContext = createContext<Store | null>(null)

export function SessionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const [store] = useState(() => sessionStore(queryClient))
  useEffect(() => store.start(), [store])
  return <StoreContext value={store}>{children}</StoreContext>
}

/** Returns the authentication context. */
export function useSession(): Session {
  const store = useStore()
  return useSyncExternalStore(store.subscribe, store.current, store.current)
}

/** Returns a function that runs a request that changes the session cookie, then refreshes the session. */
export function useSessionChange(): Store['changeSession'] {
  return useStore().changeSession
}

/** Returns a function that runs a request that signs out, then refreshes the session. */
export function useSessionEnd(): Store['endSession'] {
  return useStore().endSession
}

/** Returns the user record, in dashboard screens: the layout renders them only when there is one. */
export function useUserData(): User {
  const { userData } = useSession()
  if (!userData) throw new Error('useUserData must be used within the dashboard layout')
  return userData
}

function useStore(): Store {
  const store = useContext(StoreContext)
  if (store === null) throw new Error('useSession must be used within SessionProvider')
  return store
}
