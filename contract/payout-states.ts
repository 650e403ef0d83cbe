/**
 * The states of payouts and of their batches and every way from one to another (docs/specification/payouts.md#states).
 * The server's SQL has the same transitions in server/payouts/states.sql; a test compares the two.
 */
export const PAYOUT_STATES = ['queued', 'sent', 'confirmed', 'failed', 'unknown', 'removed'] as const
export type PayoutState = (typeof PAYOUT_STATES)[number]

type Transition<State> = {
  from: State
  to: State
  /** What happens, as in docs/specification/payouts.md#states. */
  event: string
  /** What can cause it. `statement` and `provider` report what a bank or a wallet did, a `stop` keeps it from being sent. */
  by: readonly ('admin' | 'statement' | 'provider' | 'stop')[]
}

export const PAYOUT_TRANSITIONS: readonly Transition<PayoutState>[] = [
  { from: 'queued', to: 'sent', event: 'release', by: ['admin'] },
  { from: 'queued', to: 'removed', event: 'removal', by: ['admin'] },
  { from: 'sent', to: 'confirmed', event: 'confirmation', by: ['admin', 'statement', 'provider'] },
  { from: 'sent', to: 'failed', event: 'failure', by: ['admin', 'statement', 'provider', 'stop'] },
  { from: 'sent', to: 'unknown', event: 'unknown outcome', by: ['admin', 'provider', 'stop'] },
  { from: 'unknown', to: 'confirmed', event: 'confirmation', by: ['statement', 'provider'] },
  { from: 'unknown', to: 'failed', event: 'failure', by: ['statement', 'provider'] },
]

export const PAYOUT_BATCH_STATES = [
  'draft',
  'checked',
  'released',
  'exported',
  'settling',
  'reconciled',
  'cancelled',
] as const
export type PayoutBatchState = (typeof PAYOUT_BATCH_STATES)[number]

export const PAYOUT_BATCH_TRANSITIONS: readonly Transition<PayoutBatchState>[] = [
  { from: 'draft', to: 'checked', event: 'check', by: ['admin'] },
  { from: 'draft', to: 'released', event: 'release without a second Admin', by: ['admin'] },
  { from: 'draft', to: 'cancelled', event: 'cancellation', by: ['admin'] },
  { from: 'checked', to: 'released', event: 'release', by: ['admin'] },
  { from: 'checked', to: 'cancelled', event: 'cancellation', by: ['admin'] },
  { from: 'released', to: 'exported', event: 'export', by: ['admin'] },
  { from: 'released', to: 'settling', event: 'first result', by: ['admin', 'statement', 'provider'] },
  {
    from: 'released',
    to: 'reconciled',
    event: 'last result',
    by: ['admin', 'statement', 'provider', 'stop'],
  },
  { from: 'exported', to: 'settling', event: 'first result', by: ['admin', 'statement', 'provider'] },
  { from: 'exported', to: 'reconciled', event: 'last result', by: ['admin', 'statement', 'provider'] },
  {
    from: 'settling',
    to: 'reconciled',
    event: 'last result',
    by: ['admin', 'statement', 'provider', 'stop'],
  },
]
