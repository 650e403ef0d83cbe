import { useEffect, useSyncExternalStore } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { buyerStats } from '#contract/stats.ts'
import { taskToReview } from '#contract/submissions.ts'
import { myTask } from '#contract/tasks.ts'
import { deleteDraft } from '#web/lib/drafts.ts'
import { getIdToken } from '#web/lib/id-token.ts'
import { queryClient, queryKeyOf } from '#web/lib/queries.ts'
import { useSession, useUserData } from '#web/lib/session.tsx'
import { onSignOut } from '#web/lib/session-store.ts'
import { toast } from '#web/ui/toasts.tsx'
import { createDecisionQueue, type DecisionEntry, type DecisionQueue } from './decision-queue.ts'
import { DECISIONS, sendDecision } from './decisions.tsx'
import { decisionDraftKey } from './draft-key.ts'
import { createOutbox } from './outbox.ts'

const CHANGED_BY_DECISIONS: Endpoint[] = [taskToReview, myTask, buyerStats]
const TOAST_GROUP = 'decisions'

/** One queue per buyer. It outlives the screen, so that a decision that fails after leaving is shown on return. */
const queues = new Map<string, DecisionQueue>()

function queueOf(email: string): DecisionQueue {
  const existing = queues.get(email)
  if (existing) return existing
  const queue = createDecisionQueue({
    clock: {
      now: Date.now,
      after: (ms, work) => {
        const timer = setTimeout(work, ms)
        return () => clearTimeout(timer)
      },
    },
    outbox: createOutbox(email),
    send: ({ work, decision, idempotencyKey }) => sendDecision(work.id, decision, idempotencyKey),
    onSettled: (entry) => showResult(entry, [...queue.entries().values()]),
  })
  queues.set(email, queue)
  return queue
}

/** Sends the decisions that an earlier page of this buyer left, on any screen of the dashboard. */
export function resumeDecisions(email: string): void {
  queueOf(email).resume()
}

/** Shows the result of an attempt, and refetches what changed when no more is in flight. */
function showResult(entry: DecisionEntry, entries: DecisionEntry[]): void {
  const { phase, decision, work, error = '' } = entry
  const texts = DECISIONS[decision.kind]
  const batch = entries.filter((other) => other.batch === entry.batch)
  if (phase === 'sent') {
    deleteDraft(decisionDraftKey(decision.kind, work.id))
    if (batch.every((other) => other.phase !== 'sending' && other.phase !== 'waiting')) {
      const sent = batch.filter((other) => other.phase === 'sent')
      void toast({ ...texts.toast(sent.map((other) => other.work)), group: TOAST_GROUP })
    }
  } else {
    const title = `${phase === 'refused' ? texts.refused : 'Not sent yet'}: ${work.worker}`
    void toast({ title, message: error, tone: 'error', group: TOAST_GROUP })
  }
  if (entries.some((other) => other.phase === 'sending')) return
  for (const endpoint of CHANGED_BY_DECISIONS)
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(endpoint) })
}

/**
 * Returns the buyer's decisions and the queue that sends them. When the screen or the page is left, waiting decisions are
 * sent at once.
 */
export function useDecisionQueue() {
  const { email } = useUserData()
  const { refetchUser } = useSession()
  const queue = queueOf(email)
  const entries = useSyncExternalStore(queue.subscribe, queue.entries)

  useEffect(() => {
    queue.forgetSent()
    queue.resume()
    addEventListener('pagehide', queue.commitBeforeLeaving)
    addEventListener('online', queue.retry)
    const offSignOut = onSignOut(() => {
      queue.commitBeforeLeaving()
      return queue.settled()
    })
    return () => {
      offSignOut()
      removeEventListener('pagehide', queue.commitBeforeLeaving)
      removeEventListener('online', queue.retry)
      queue.commitBeforeLeaving()
    }
  }, [queue])

  const phases = new Set([...entries.values()].map(({ phase }) => phase))
  const isWaiting = phases.has('waiting')
  const isSending = phases.has('sending')
  // A page that is closed cannot wait for a new token.
  useEffect(() => {
    if (isWaiting) void getIdToken().catch(() => {})
  }, [isWaiting])
  // A rejection on a closed task refunds coins to the buyer.
  useEffect(() => {
    if (!isSending) return
    return () => void refetchUser()
  }, [isSending, refetchUser])

  return { queue, entries }
}
