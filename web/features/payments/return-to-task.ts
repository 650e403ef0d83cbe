import { useLocation } from 'react-router'
import { isReturnPath } from '#contract/auth.ts'

/** The navigation state of a purchase for a task that was too expensive: the screen of the task, which keeps its draft. */
export type ReturnToTask = { returnTo: string }

/** The search parameter with this screen in the URL to which the bank's own page returns, where there is no navigation state. */
export const RETURN_TO = 'returnTo'

/** Returns the screen of the task that the coins are bought for; undefined for another purchase. */
export function useReturnToTask(): string | undefined {
  const location = useLocation()
  const state: Partial<ReturnToTask> | null = location.state
  const inUrl = new URLSearchParams(location.search).get(RETURN_TO) ?? ''
  return state?.returnTo ?? (isReturnPath(inUrl) ? inUrl : undefined)
}
