import { useLocation } from 'react-router'

/** The navigation state of a purchase for a task that was too expensive: the screen of the task, which keeps its draft. */
export type ReturnToTask = { returnTo: string }

/** Returns the screen of the task that the coins are bought for; undefined for another purchase. */
export function useReturnToTask(): string | undefined {
  const state: Partial<ReturnToTask> | null = useLocation().state
  return state?.returnTo
}
