import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { restoreReplies, saveReplies } from './saved-replies.ts'

/** Restores and saves the replies of a user. Returns whether the screens can be rendered: the replies are restored. */
export function useOfflineData(email: string | undefined): boolean {
  const queryClient = useQueryClient()
  const [restored, setRestored] = useState<string>()
  const hasStorage = 'indexedDB' in globalThis

  useEffect(() => {
    // The query client assumes a connection until it loses one.
    onlineManager.setOnline(navigator.onLine)
    if (email === undefined || !hasStorage) return
    let stop: (() => void) | undefined
    let unmounted = false
    void restoreReplies(queryClient, email).then(() => {
      if (unmounted) return
      stop = saveReplies(queryClient, email)
      setRestored(email)
    })
    return () => {
      unmounted = true
      stop?.()
    }
  }, [queryClient, email, hasStorage])

  return !hasStorage || restored === email
}
