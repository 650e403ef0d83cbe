import type { Case } from '#contract/appeals.ts'
import { formatCoins } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'

type Status = {
  title: string
  /** Who has how long to do what. Empty when the state is final. */
  clock: string
  /** What happens if nobody acts, or what the final state means. */
  effect: string
}

/**
 * Returns the state of a case in words for its viewer (docs/specification/submissions.md#states). `left` is the time until
 * the deadline of the state; null when it is over.
 */
export function statusOf(subject: Case, left: string | null): Status {
  const { viewer, state, payable_amount, decides, held, reversibleUntil } = subject
  const isWorker = viewer === 'worker'
  const isBuyer = viewer === 'buyer'
  const coins = formatCoins(payable_amount)
  const worker = isWorker ? 'You' : (subject.worker_name ?? 'The worker')
  const buyer = isBuyer ? 'You' : (subject.buyer_name ?? 'The buyer')
  const paid = isWorker ? `you are paid ${coins}` : `the worker is paid ${coins}`
  const clock = (name: string, task: string) =>
    left === null
      ? 'The time for the next step is over. This page updates in a moment.'
      : `${name} ${name === 'You' ? 'have' : 'has'} ${left} to ${task}.`

  switch (state) {
    case 'pending':
      return {
        title: isBuyer ? 'Waiting for your review' : 'Waiting for review',
        clock: clock(buyer, 'review the work'),
        effect: `After that, the work is approved automatically and ${paid}.`,
      }
    case 'revision_requested':
      return {
        title: 'Revision requested',
        clock: clock(worker, 'submit revised work'),
        effect: 'Without a revision, the work goes back to review as it is.',
      }
    case 'rejection_open':
      return {
        title: isWorker ? 'Rejected: you can appeal' : 'Rejected: the worker can appeal',
        clock: clock(worker, 'appeal'),
        effect: `Without an appeal, the rejection becomes final and ${isWorker ? 'you are' : 'the worker is'} not paid.`,
      }
    case 'appealed':
      return {
        title: 'Appealed',
        clock: clock(buyer, 'respond to the appeal'),
        effect: `Without a response, ${paid}.`,
      }
    case 'in_review':
      return {
        title: 'With a reviewer',
        clock: clock(decides ? 'You' : 'A neutral reviewer', 'decide'),
        effect: `${held ? 'The rejection does not count until then. ' : ''}If no reviewer decides in time, ${paid}.`,
      }
    case 'approved':
      return {
        title: 'Approved',
        clock: '',
        effect: isWorker ? `${coins} were added to your balance.` : `The worker was paid ${coins}.`,
      }
    case 'rejected':
      return {
        title: 'Rejected',
        clock: '',
        effect: `The rejection is final. ${
          isBuyer && reversibleUntil !== null
            ? `You can reverse it until ${formatDateTime(reversibleUntil)}.`
            : `${isWorker ? 'You were' : 'The worker was'} not paid.`
        }`,
      }
  }
}
