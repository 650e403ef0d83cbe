import { type Actor, type Board, insist, note } from './actor.ts'
import type { BankLine } from './payout-bank.ts'

export type OpenBatch = {
  id: string
  paidBy: 'hand' | 'file' | 'provider'
  /** The file that was made of it. */
  file?: string
  /** How often an Admin looked while the provider was paying it. */
  looks: number
}

/** What the Admins share: requests for a batch, batches, the bank that pays them, and what must not happen. */
export type Desk = {
  /** Requests that are paid by hand or by a file. */
  waiting: Set<string>
  /** Requests that the provider is tried with first. */
  forProvider: Set<string>
  /** The number of requests so far. */
  asked: number
  batches: OpenBatch[]
  /** What the bank did with each reference. It pays a reference once. */
  bank: Map<string, BankLine>
  /** Requests that were paid by Payment Success. */
  single: string[]
  freezes: string[]
  violations: string[]
}
export const aDesk = (): Desk => ({
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
  board: Board,
  admin: Actor,
  call: string,
  path: string,
  body: object = {},
): Promise<boolean> {
  const { status } = await insist(board, admin, 'POST', path, body)
  if (status >= 500) board.desk.violations.push(`${call} returned ${status}`)
  note(admin, status < 300 ? call : `${call} refused`, undefined, 0)
  return status < 300
}
