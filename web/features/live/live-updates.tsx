import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loadChunkWithRetry } from '#web/lib/chunk-loading.ts'
import { savesData } from '#web/lib/prefetch.ts'
import { useSession } from '#web/lib/session.tsx'

const loadEventClient = async () => (await import('./event-client.ts')).connectEvents
const loadPolling = async () => (await import('./poll-updates.ts')).pollUpdates

/** Keeps the query cache of a signed-in user up to date: with live events, or by polling where data is saved. */
export function LiveUpdates() {
  const queryClient = useQueryClient()
  const { userData, latestEvent, refetchUser } = useSession()
  const email = userData?.email

  useEffect(() => {
    if (email === undefined || latestEvent === undefined) return
    let stop: (() => void) | undefined
    let unmounted = false
    void loadChunkWithRetry(savesData() ? loadPolling : loadEventClient).then((start) => {
      if (!unmounted) stop = start(queryClient, refetchUser, latestEvent)
    })
    return () => {
      unmounted = true
      stop?.()
    }
  }, [email, queryClient, refetchUser, latestEvent])

  return null
}
