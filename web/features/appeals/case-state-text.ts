import { plural, t } from '@lingui/core/macro'
import type { Case } from '#contract/appeals.ts'
import { SECOND_REVIEWER_DAYS } from '#contract/product.ts'
import { formatCoins } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'

type StateText = {
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
export function stateTextOf(subject: Case, left: string | null): StateText {
  const { viewer, state, payable_amount, decides, held, reversibleUntil } = subject
  const isWorker = viewer === 'worker'
  const isBuyer = viewer === 'buyer'
  const coins = formatCoins(payable_amount)
  const worker = subject.worker_name ?? t`The worker`
  const buyer = subject.buyer_name ?? t`The buyer`
  const clock = (text: (left: string) => string) =>
    left === null ? t`The time for the next step is over. This page updates in a moment.` : text(left)

  switch (state) {
    case 'pending':
      return {
        title: isBuyer ? t`Waiting for your review` : t`Waiting for review`,
        clock: clock((left) =>
          isBuyer ? t`You have ${left} to review the work.` : t`${buyer} has ${left} to review the work.`,
        ),
        effect: isWorker
          ? t`After that, the work is approved automatically and you are paid ${coins}.`
          : t`After that, the work is approved automatically and the worker is paid ${coins}.`,
      }
    case 'revision_requested':
      return {
        title: t`Revision requested`,
        clock: clock((left) =>
          isWorker
            ? t`You have ${left} to submit revised work.`
            : t`${worker} has ${left} to submit revised work.`,
        ),
        effect: t`Without a revision, the work goes back to review as it is.`,
      }
    case 'rejection_open':
      return {
        title: isWorker ? t`Rejected: you can appeal` : t`Rejected: the worker can appeal`,
        clock: clock((left) =>
          isWorker ? t`You have ${left} to appeal.` : t`${worker} has ${left} to appeal.`,
        ),
        effect: isWorker
          ? t`Without an appeal, the rejection becomes final and you are not paid.`
          : t`Without an appeal, the rejection becomes final and the worker is not paid.`,
      }
    case 'appealed':
      return {
        title: t`Appealed`,
        clock: clock((left) =>
          isBuyer
            ? t`You have ${left} to respond to the appeal.`
            : t`${buyer} has ${left} to respond to the appeal.`,
        ),
        effect: isWorker
          ? t`Without a response, you are paid ${coins}.`
          : t`Without a response, the worker is paid ${coins}.`,
      }
    case 'in_review': {
      const effect = subject.round === 1 ? secondReviewText(isWorker, coins) : lastReviewText(isWorker, coins)
      return {
        title: t`With a reviewer`,
        clock: clock((left) =>
          decides ? t`You have ${left} to decide.` : t`A neutral reviewer has ${left} to decide.`,
        ),
        effect: held ? `${t`The rejection does not count until then.`} ${effect}` : effect,
      }
    }
    case 'approved':
      return {
        title: t`Approved`,
        clock: '',
        effect: isWorker ? t`You were paid ${coins}.` : t`The worker was paid ${coins}.`,
      }
    case 'rejected':
      return {
        title: t`Rejected`,
        clock: '',
        effect: finalText(isWorker, isBuyer ? reversibleUntil : null),
      }
  }
}

/** Returns what follows the time of the first reviewer: a second one always gets some. */
function secondReviewText(isWorker: boolean, coins: string): string {
  const second = plural(SECOND_REVIEWER_DAYS, {
    one: 'Without a decision by then, a second reviewer has # day.',
    other: 'Without a decision by then, a second reviewer has # days.',
  })
  const end = isWorker
    ? t`If they do not decide either, you are paid ${coins}.`
    : t`If they do not decide either, the worker is paid ${coins}.`
  return `${second} ${end}`
}

function lastReviewText(isWorker: boolean, coins: string): string {
  return isWorker
    ? t`If no reviewer decides in time, you are paid ${coins}.`
    : t`If no reviewer decides in time, the worker is paid ${coins}.`
}

function finalText(isWorker: boolean, reversibleUntil: string | null): string {
  if (reversibleUntil !== null)
    return t`The rejection is final. You can reverse it until ${{ time: formatDateTime(reversibleUntil) }}.`
  return isWorker
    ? t`The rejection is final. You were not paid.`
    : t`The rejection is final. The worker was not paid.`
}
