import { type Actor, recordResponse, retryUntilFinal, type SharedState } from './actor.ts'
import type { BankTransfer } from './payout-bank.ts'

export type OpenBatch = {
  id: string
  paidBy: 'hand' | 'file' | 'provider'
  /** The file that was made of it. */
  file?: string
  /** How often an Admin looked while the provider was paying it. */
  looks: number
}

/** What the Admins share: requests for a batch, batches, the bank that pays them, and what must not happen. */
export type SharedPayouts = {
  /** Requests that are paid by hand or by a file. */
  waiting: Set<string>
  /** Requests that the provider is tried with first. */
  forProvider: Set<string>
  /** The number of requests so far. */
  asked: number
  batches: OpenBatch[]
  /** What the bank did with each reference. It pays a reference once. */
  bank: Map<string, BankTransfer>
  /** Requests that were paid by Payment Success. */
  single: string[]
  freezes: string[]
  violations: string[]
}
export const createSharedPayouts = (): SharedPayouts => ({
  waiting: new Set(),
  forProvider: new Set(),
  asked: 0,
  batches: [],
  bank: new Map(),
  single: [],
  freezes: [],
  violations: [],
})

/** Sends a step and returns whether it was accepted. A refusal is final: another Admin was first, or a rule holds it. */
export async function send(
  shared: SharedState,
  admin: Actor,
  call: string,
  path: string,
  body: object = {},
): Promise<boolean> {
  const { status } = await retryUntilFinal(shared, admin, 'POST', path, body)
  if (status >= 500) shared.payouts.violations.push(`${call} returned ${status}`)
  recordResponse(admin, status < 300 ? call : `${call} refused`, undefined, 0)
  return status < 300
}
