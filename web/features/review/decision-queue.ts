import { APPROVALS_MAX } from '#contract/submissions.ts'
import { errorMessage, isRefusal } from '#web/lib/api.ts'
import type { Decision } from './decisions.tsx'

/** A decision can be undone for this time; then it is sent. */
export const UNDO_MS = 6000
/** Requests in flight. Approvals are sent together, any other decision on its own. */
const CONCURRENCY = 4

/** The parts of a submission that its decision is described with. Those that an earlier version stored have no email. */
export type DecidedWork = { id: string; worker: string; email?: string; coins: number }

/**
 * waiting: can be undone. sending: in flight. sent: accepted by the server. unsent: no response, or one that allows a
 * retry. refused: the server refused it, so the submission is undecided again.
 */
export type Phase = 'waiting' | 'sending' | 'sent' | 'unsent' | 'refused'

export type StoredDecision = {
  work: DecidedWork
  decision: Decision
  /** Sent with every attempt, so that a repeated one does nothing twice. */
  idempotencyKey: string
  /** Decisions made together are undone together. */
  batch: string
  /** When it is sent, in milliseconds since 1970; 0 once a request for it has begun. It can no longer be undone then. */
  commitsAt: number
}
export type DecisionEntry = StoredDecision & { phase: Phase; error?: string }

/** Stores decisions that the server has not confirmed, so that closing the tab does not lose them. */
export type DecisionStore = {
  list(): StoredDecision[]
  put(stored: StoredDecision): void
  get(id: string): StoredDecision | undefined
  remove(id: string): void
}

type Clock = {
  now(): number
  /** Runs `work` after `ms`. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void
}

type Parts = {
  clock: Clock
  store: DecisionStore
  /** Sends decisions in one request. Returns why some of them are refused, by submission. */
  send: (entries: DecisionEntry[]) => Promise<ReadonlyMap<string, string>>
  /** Called after every request, with its entries in their new phases. */
  onSettled: (entries: DecisionEntry[]) => void
}

export type DecisionQueue = ReturnType<typeof createDecisionQueue>

/**
 * Creates the queue of a buyer's decisions (docs/decisions/0035-review-desk.md). A decision waits for `UNDO_MS`, in which
 * it can be undone, and is then sent once. A submission has at most one decision.
 */
export function createDecisionQueue({ clock, store, send, onSettled }: Parts) {
  let entries: ReadonlyMap<string, DecisionEntry> = new Map()
  let toSend: string[] = []
  let inFlight = 0
  let cancelTimer = () => {}
  const subscribers = new Set<() => void>()

  function setEntries(change: (next: Map<string, DecisionEntry>) => void): void {
    const next = new Map(entries)
    change(next)
    entries = next
    for (const notify of subscribers) notify()
  }

  function waiting(): DecisionEntry[] {
    return [...entries.values()].filter(({ phase }) => phase === 'waiting')
  }

  /** Returns a decision as the store has it; undefined when another tab has undone, replaced or sent it. */
  function storedOf({ work, idempotencyKey }: DecisionEntry): StoredDecision | undefined {
    const stored = store.get(work.id)
    return stored?.idempotencyKey === idempotencyKey ? stored : undefined
  }

  function removeStored(entry: DecisionEntry): void {
    if (storedOf(entry) !== undefined) store.remove(entry.work.id)
  }

  function isUndoable(entry: DecisionEntry): boolean {
    return entry.phase === 'waiting' && (storedOf(entry)?.commitsAt ?? 0) > clock.now()
  }

  function schedule(): void {
    cancelTimer()
    const [next] = waiting().sort((a, b) => a.commitsAt - b.commitsAt)
    if (next === undefined) return
    cancelTimer = clock.after(Math.max(0, next.commitsAt - clock.now()), () => {
      enqueue(waiting().filter(({ commitsAt }) => commitsAt <= clock.now()))
      schedule()
    })
  }

  function enqueue(due: DecisionEntry[]): void {
    if (due.length === 0) return
    const [kept, dropped] = partition(due, (entry) => storedOf(entry) !== undefined)
    setEntries((next) => {
      for (const { work } of dropped) next.delete(work.id)
      for (const { work, decision, idempotencyKey, batch } of kept) {
        // Neither another tab nor this one after a reload may undo it from now on: the server may have accepted it.
        const stored = { work, decision, idempotencyKey, batch, commitsAt: 0 }
        store.put(stored)
        next.set(work.id, { ...stored, phase: 'sending' })
      }
    })
    toSend.push(...kept.map(({ work }) => work.id))
    sendNext(CONCURRENCY)
  }

  function sendNext(limit: number): void {
    while (inFlight < limit) {
      const next = takeRequest()
      if (next.length === 0) return
      void attempt(next)
    }
  }

  /** Takes the next decision, with the approvals that the same request can send. */
  function takeRequest(): DecisionEntry[] {
    const queued = toSend.flatMap((id) => entries.get(id) ?? [])
    const taken =
      queued[0]?.decision.kind === 'approve'
        ? queued.filter(({ decision }) => decision.kind === 'approve').slice(0, APPROVALS_MAX)
        : queued.slice(0, 1)
    toSend = queued.filter((entry) => !taken.includes(entry)).map(({ work }) => work.id)
    return taken
  }

  async function attempt(sent: DecisionEntry[]): Promise<void> {
    inFlight++
    const results = await resultsOf(sent)
    inFlight--
    for (const entry of results) if (entry.phase !== 'unsent') removeStored(entry)
    setEntries((next) => {
      for (const entry of results) next.set(entry.work.id, entry)
    })
    onSettled(results)
    sendNext(CONCURRENCY)
  }

  async function resultsOf(sent: DecisionEntry[]): Promise<DecisionEntry[]> {
    try {
      const refusals = await send(sent)
      return sent.map((entry) => {
        const error = refusals.get(entry.work.id)
        return error === undefined ? { ...entry, phase: 'sent' } : { ...entry, phase: 'refused', error }
      })
    } catch (error) {
      const phase = isRefusal(error) ? 'refused' : 'unsent'
      return sent.map((entry) => ({ ...entry, phase, error: errorMessage(error) }))
    }
  }

  function removeEntries(removed: DecisionEntry[]): DecisionEntry[] {
    if (removed.length === 0) return []
    for (const entry of removed) removeStored(entry)
    setEntries((next) => {
      for (const { work } of removed) next.delete(work.id)
    })
    schedule()
    return removed
  }

  return {
    /** Returns the decisions by submission, in the order in which they were made. The map is replaced on a change. */
    entries: () => entries,

    subscribe(notify: () => void) {
      subscribers.add(notify)
      return () => void subscribers.delete(notify)
    },

    /** Decides about submissions together. One that has a decision already keeps it. Returns what was decided now. */
    decide(works: DecidedWork[], decision: Decision): DecidedWork[] {
      const undecided = works.filter(({ id }) => isUndecided(entries.get(id)))
      const batch = crypto.randomUUID()
      const commitsAt = clock.now() + UNDO_MS
      setEntries((next) => {
        for (const work of undecided) {
          const stored = { work, decision, idempotencyKey: crypto.randomUUID(), batch, commitsAt }
          store.put(stored)
          next.delete(work.id) // a refused decision; the new one is the latest
          next.set(work.id, { ...stored, phase: 'waiting' })
        }
      })
      schedule()
      return undecided
    },

    /** Undoes a decision that waits. Returns what was undone. */
    undo(id: string): DecisionEntry[] {
      const entry = entries.get(id)
      return removeEntries(entry && isUndoable(entry) ? [entry] : [])
    },

    /** Undoes the latest decision that waits, with all that were made together with it. Returns what was undone. */
    undoLatest(): DecisionEntry[] {
      const latest = waiting().at(-1)
      return removeEntries(waiting().filter((entry) => entry.batch === latest?.batch && isUndoable(entry)))
    },

    /** Sends everything that waits now. */
    commit(): void {
      enqueue(waiting())
      schedule()
    },

    /** As `commit`, without the limit of concurrent requests: a page that is left sends nothing later. */
    commitBeforeLeaving(): void {
      enqueue(waiting())
      schedule()
      sendNext(Number.POSITIVE_INFINITY)
    },

    /** Retries what could not be sent. */
    retry(): void {
      enqueue([...entries.values()].filter(({ phase }) => phase === 'unsent'))
    },

    /**
     * Takes over the decisions of the store that an earlier page left, also in place of those that they replaced. Those whose
     * time is over are sent, with the idempotency key of the first attempt.
     */
    resume(): void {
      const left = store.list().filter(({ work, idempotencyKey }) => {
        const entry = entries.get(work.id)
        return entry?.idempotencyKey !== idempotencyKey && entry?.phase !== 'sending'
      })
      const latest = clock.now() + UNDO_MS // a clock that was set back must not make them wait for hours
      setEntries((next) => {
        for (const stored of left) {
          next.delete(stored.work.id) // a decision that it replaced
          next.set(stored.work.id, {
            ...stored,
            commitsAt: Math.min(stored.commitsAt, latest),
            phase: 'waiting',
          })
        }
      })
      schedule()
    },

    /** Resolves when nothing is in flight. */
    async settled(): Promise<void> {
      if (inFlight === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const notify = () => inFlight === 0 && resolve()
      subscribers.add(notify)
      await promise
      subscribers.delete(notify)
    },

    /** Forgets the decisions that the server has accepted. */
    forgetSent(): void {
      setEntries((next) => {
        for (const { work, phase } of entries.values()) if (phase === 'sent') next.delete(work.id)
      })
    },
  }
}

/** Returns whether a submission waits for a decision: it has none, or the server refused the last one. */
export function isUndecided(entry: DecisionEntry | undefined): boolean {
  return entry === undefined || entry.phase === 'refused'
}

function partition<T>(items: T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
