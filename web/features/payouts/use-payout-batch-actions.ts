import { plural, t } from '@lingui/core/macro'
import type { Endpoint } from '#contract/endpoint.ts'
import {
  cancelPayoutBatch,
  checkPayoutBatch,
  confirmPayout,
  confirmPayoutBatch,
  failPayout,
  listPayoutBatches,
  markPayoutUnknown,
  type Payout,
  type PayoutBatchDetails,
  payoutBatch,
  payoutBatchTotals,
  releasePayoutBatch,
  removePayout,
  retryPayout,
  setPayoutProvider,
} from '#contract/payouts.ts'
import { pendingWithdrawals } from '#contract/withdrawals.ts'
import { call } from '#web/lib/api.ts'
import { formatDollars } from '#web/lib/format.ts'
import { useChange } from '#web/lib/use-change.ts'
import { confirm, prompt, showMessage } from '#web/ui/dialogs.tsx'
import { showFailure } from '#web/ui/show-failure.ts'
import { toast } from '#web/ui/toasts.tsx'
import { confirmPayment } from './payment-form.tsx'

const CHANGED: Endpoint[] = [payoutBatch, listPayoutBatches, payoutBatchTotals, pendingWithdrawals]

/** Returns the steps of a payout batch and of its payouts; `isBusy` while one is in flight. */
export function usePayoutBatchActions(batch: PayoutBatchDetails) {
  const changes = useChange(CHANGED)
  const params = { id: batch._id }
  const change = <Result>(send: () => Promise<Result>) => changes.change(batch._id, send)

  const attempt = <Result>(send: () => Promise<Result>) => showFailure(t`Nothing was changed`, change(send))

  async function cancel(): Promise<void> {
    const confirmed = await confirm({
      title: t`Cancel this payout batch?`,
      text: t`Its requests can then be paid another way.`,
      confirmLabel: t`Cancel payout batch`,
      cancelLabel: t`Keep it`,
      danger: true,
    })
    if (confirmed) await attempt(() => call(cancelPayoutBatch, { params }))
  }

  async function confirmAll(): Promise<void> {
    const sent = batch.payouts.filter(({ state, stopped }) => state === 'sent' && !stopped)
    const stopped = batch.payouts.filter((payout) => payout.stopped).length
    const body = { payoutIds: sent.map(({ _id }) => _id) }
    const cents = sent.reduce((sum, payout) => sum + payout.cents, 0)
    const confirmed = await confirm({
      title: t`Mark ${{ amount: formatDollars(cents / 100) }} as paid?`,
      text: [sentText(sent.length), stoppedText(stopped, batch.exportedAt !== null)].join(' ').trim(),
      confirmLabel: t`Payment Success`,
      cancelLabel: t`Not yet`,
    })
    if (!confirmed) return
    const updated = await attempt(() => call(confirmPayoutBatch, { params, body }))
    if (updated === undefined) return
    const { modifiedCount: paid } = updated
    if (paid === sent.length)
      void toast({ title: t`Approved Payment Request`, message: t`The workers have been notified.` })
    else
      await showMessage({
        title: t`${paid} of ${{ all: sent.length }} payments marked as paid`,
        text: unpaidText(sent.length - paid),
        tone: 'error',
      })
  }

  async function confirmOne(payout: Payout): Promise<void> {
    // The dialog asks to send the money. A page that missed an update shows a payout that another Admin settled or stopped.
    const read = change(() => call(payoutBatch, { params }))
    const current = await showFailure(t`Could not load the payout`, read)
    if (current === undefined) return
    const now = current.payouts.find(({ _id }) => _id === payout._id)
    if (now?.state !== 'sent' || (now.stopped && !payout.stopped)) {
      await showMessage({
        title: t`Do not pay this yet`,
        text: t`The payout to ${{ worker: payout.workerName }} was settled or stopped after this page was loaded. Check its row first.`,
      })
      return
    }
    await confirmPayment({
      payout,
      rate: batch.rate,
      submit: (transactionId) =>
        change(() => call(confirmPayout, { params: { id: payout._id }, body: { transactionId } })),
    })
  }

  async function fail({ _id: id, workerName }: Payout, returnCoins: boolean): Promise<void> {
    await prompt({
      title: t`Did this payment fail?`,
      text: returnCoins
        ? t`The coins will be returned to ${workerName}, who sees your reason.`
        : t`The coins stay on hold, so that you can pay again with a corrected account number.`,
      label: t`Reason`,
      maxLength: 2000,
      requiredMessage: t`Enter the reason`,
      confirmLabel: returnCoins ? t`Return the coins` : t`Mark as failed`,
      danger: true,
      draft: `${returnCoins ? 'return' : 'fail'} ${id}`,
      submit: (reason) => change(() => call(failPayout, { params: { id }, body: { reason, returnCoins } })),
    })
  }

  async function markUnknown({ _id: id }: Payout): Promise<void> {
    await prompt({
      title: t`Outcome unknown?`,
      text: t`After that, only a bank or wallet statement settles it. It is never sent again.`,
      label: t`What happened?`,
      maxLength: 2000,
      requiredMessage: t`Enter what happened`,
      confirmLabel: t`Mark as unknown`,
      draft: `unknown ${id}`,
      submit: (reason) => change(() => call(markPayoutUnknown, { params: { id }, body: { reason } })),
    })
  }

  async function retry({ _id: id, accountNumber: failed }: Payout): Promise<void> {
    await prompt({
      title: t`Retry this payment?`,
      text: t`The payment to ${failed} failed. The worker is notified of a corrected number. The request then waits for you under Withdraw Request.`,
      label: t`Account number`,
      placeholder: failed,
      maxLength: 200,
      requiredMessage: t`Account number is required`,
      confirmLabel: t`Retry payment`,
      draft: `retry ${id}`,
      submit: (accountNumber) => change(() => call(retryPayout, { params: { id }, body: { accountNumber } })),
    })
  }

  return {
    isBusy: changes.pendingId !== null,
    check: () => attempt(() => call(checkPayoutBatch, { params })),
    release: () => attempt(() => call(releasePayoutBatch, { params })),
    cancel,
    confirmAll,
    confirmOne,
    fail,
    markUnknown,
    setProvider: (provider: PayoutBatchDetails['providers'][number] | null) =>
      attempt(() => call(setPayoutProvider, { params, body: { provider } })),
    remove: ({ _id: id }: Payout) => attempt(() => call(removePayout, { params: { id } })),
    retry,
  }
}

function sentText(sent: number): string {
  return plural(sent, {
    one: 'Confirm that you sent # payment. The workers are notified. This cannot be undone.',
    other: 'Confirm that you sent # payments. The workers are notified. This cannot be undone.',
  })
}

function unpaidText(unpaid: number): string {
  return plural(unpaid, {
    one: '# payout was stopped or settled after this page was loaded. Check its row.',
    other: '# payouts were stopped or settled after this page was loaded. Check their rows.',
  })
}

/** Returns what becomes of the stopped payouts when the others are marked as paid; empty without any. */
function stoppedText(stopped: number, hasFile: boolean): string {
  if (stopped === 0) return ''
  return hasFile
    ? plural(stopped, {
        one: '# stopped payout will be marked as unknown, until a statement settles it.',
        other: '# stopped payouts will be marked as unknown, until a statement settles them.',
      })
    : plural(stopped, {
        one: '# stopped payout will not be marked.',
        other: '# stopped payouts will not be marked.',
      })
}
