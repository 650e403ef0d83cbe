import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpUser } from '#tests/support/http-client.ts'
import type { FakeCardProvider } from './purchases.ts'
import type { SharedPayouts } from './shared-payouts.ts'

/** One call that was acknowledged: what was asked, and what it made or changed. */
type Entry = { call: string; made: string | undefined; coins: number }

export type Actor = {
  role: 'Buyer' | 'Worker'
  /** What a worker does instead of tasks. An Admin was registered as a worker. */
  specialRole: SpecialRole | null
  user: HttpUser
  /** Every acknowledged write, in order; `coins` is what it did to this user's balance. */
  journal: Entry[]
}

export type SpecialRole = 'reviewer' | 'payee' | 'admin'

export type Work = { id: string; buyer: Actor; worker: Actor; reward: number }

/** What the people share: tasks to work on, work to review and to dispute, as an outside observer would know them, and the card provider. */
export type SharedState = {
  cards: FakeCardProvider
  url: string
  tasks: { id: string; reward: number }[]
  work: Work[]
  rejected: Work[]
  appealed: Work[]
  /** Work that a reviewer may decide, by its id. */
  defended: Map<string, Work>
  payouts: SharedPayouts
  retries: number
}

/**
 * Retries until a response is final. A broken connection, a 503 and a 429 are not: the same attempt is made
 * again under the same key, which is what the key is for.
 */
export async function retryUntilFinal(
  shared: SharedState,
  actor: Actor,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Reply }> {
  const headers = { 'idempotency-key': randomUUID() }
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await actor.user.call(method, path, body, headers)
      if (response.status === 401) await actor.user.renew()
      else if (response.status !== 503 && response.status !== 429) return response
    } catch {
      // The connection broke: nobody knows whether it happened.
    }
    shared.retries++
    if (attempt > 600) throw new Error(`${method} ${path} got no response for minutes`)
    await sleep(50 + Math.random() * 150)
  }
}

type Reply = {
  clientSecret: string
  insertedId: string
  modifiedCount: number
  deletedCount: number
  refund: number
}

/** Who posted a task, by its id. */
export const BUYER_OF = new Map<string, Actor>()

/** Writes down an acknowledged call. */
export function recordResponse(actor: Actor, call: string, made: string | undefined, coins: number): void {
  actor.journal.push({ call, made, coins })
  if (call === 'post' && made !== undefined) BUYER_OF.set(made, actor)
}

/** A pause of somebody who has nothing to do. */
export const sleepShort = () => sleep(20)
