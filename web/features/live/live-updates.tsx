import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loadChunkWithRetry } from '#web/lib/chunk-loading.ts'
import { useSession } from '#web/lib/session.tsx'

const loadEventClient = () => import('./event-client.ts')

/** Keeps the query cache of a signed-in user up to date. The event client is loaded only when there is one. */
export function LiveUpdates() {
  const queryClient = useQueryClient()
  const { userData, refetchUser } = useSession()
  const email = userData?.email

  useEffect(() => {
    if (email === undefined) return
    let stop: (() => void) | undefined
    let unmounted = false
    void loadChunkWithRetry(loadEventClient).then(({ connectEvents }) => {
      if (!unmounted) stop = connectEvents(queryClient, refetchUser)
    })
    return () => {
      unmounted = true
      stop?.()
    }
  }, [email, queryClient, refetchUser])

  return null
}
