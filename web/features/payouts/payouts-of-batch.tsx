import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { Payout, PayoutBatchDetails } from '#contract/payouts.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatCents, formatTaka, PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { recoverFocus } from '#web/lib/recover-focus.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { PayoutStateBadge } from './payout-state.tsx'
import type { usePayoutBatchActions } from './use-payout-batch-actions.ts'

type Actions = ReturnType<typeof usePayoutBatchActions>

/** Renders the payouts of a batch with the steps that each can take. */
export function PayoutsOfBatch({ batch, actions }: { batch: PayoutBatchDetails; actions: Actions }) {
  const steps = (payout: Payout) => <PayoutSteps payout={payout} batch={batch} actions={actions} />
  const hasFile = batch.exportedAt !== null
  const columns: Column<Payout>[] = [
    { header: t`Worker`, width: 'min-w-48 max-w-56', cell: (payout) => <Worker payout={payout} /> },
    {
      header: t`To`,
      width: 'min-w-56',
      cell: (payout) => <Destination payout={payout} hasFile={hasFile} />,
    },
    { header: t`Amount`, align: 'right', cell: (payout) => <Amount payout={payout} /> },
    { header: t`State`, cell: ({ state }) => <PayoutStateBadge state={state} /> },
    { header: t`Actions`, align: 'right', cell: steps },
  ]
  return (
    <ResponsiveList
      label={t`Payouts`}
      rows={batch.payouts}
      rowKey={({ _id }) => _id}
      columns={columns}
      renderCard={(payout) => (
        <div className="space-y-3 text-sm">
          <div className="flex flex-wrap items-start justify-between gap-x-4">
            <Worker payout={payout} />
            <Amount payout={payout} />
          </div>
          <Destination payout={payout} hasFile={hasFile} />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <PayoutStateBadge state={payout.state} />
            {steps(payout)}
          </div>
        </div>
      )}
    />
  )
}

function Worker({ payout: { workerId, workerName, workerEmail } }: { payout: Payout }) {
  return (
    <div className="min-w-0 flex-1 basis-32">
      <p>
        <UserLink id={workerId} name={workerName} />
      </p>
      <p className="text-xs break-all text-dim @4xl:truncate" title={workerEmail}>
        {workerEmail}
      </p>
    </div>
  )
}

function Destination({ payout, hasFile }: { payout: Payout; hasFile: boolean }) {
  const worker = payout.workerName
  const bank = [payout.holderName, payout.bankName, payout.branch].filter(Boolean)
  return (
    <div className="min-w-0">
      <p>
        <span className="font-nav">{PAYMENT_SYSTEM_NAMES[payout.payment_system]}</span>{' '}
        <CopyableText value={payout.accountNumber} name={t`account number of ${worker}`} />
      </p>
      {bank.length > 0 && <p className="text-xs text-dim">{bank.join(', ')}</p>}
      <p className="flex flex-wrap gap-x-3 text-xs text-dim">
        {payout.routingNumber !== '' && (
          <span>
            {t`Routing number`}{' '}
            <CopyableText value={payout.routingNumber} name={t`routing number of ${worker}`} />
          </span>
        )}
        <CopyableText value={payout.reference} name={t`reference of ${worker}`} />
        {payout.transactionId !== '' && (
          <span>
            {t`Transaction`}{' '}
            <CopyableText value={payout.transactionId} name={t`transaction ID of ${worker}`} />
          </span>
        )}
      </p>
      {payout.stopped && <p className="text-xs text-danger">{stoppedText(payout, hasFile)}</p>}
      {payout.failure !== '' && <p className="text-xs text-danger">{payout.failure}</p>}
    </div>
  )
}

/** Returns what to do about a payout that was stopped. */
function stoppedText({ state }: Payout, hasFile: boolean): string {
  if (state === 'queued')
    return t`Stopped by a freeze, its risk score, a card dispute or the waiting time of a new account number. Remove it, or resolve this before you release the payout batch.`
  return hasFile
    ? t`Stopped after the file was made. Mark it as failed if you took it out of the file. Otherwise a statement settles it.`
    : t`Stopped after the release. If you have not paid it yet, do not pay it.`
}

/** Renders what is paid, in taka where the rate was locked at the release, with a copy button, and the provider's fee. */
function Amount({ payout: { cents, poisha, feePoisha, coins, workerName } }: { payout: Payout }) {
  return (
    <div className="shrink-0 text-right whitespace-nowrap">
      <p className="font-number tabular-nums">
        <CopyableText
          value={poisha === null ? formatCents(cents) : formatTaka(poisha)}
          copied={((poisha ?? cents) / 100).toFixed(2)}
          name={t`amount of ${workerName}`}
        />
      </p>
      {poisha !== null && <p className="text-xs text-dim">{formatCents(cents)}</p>}
      {feePoisha !== null && (
        <p className="text-xs text-dim">{t`Provider's fee: ${{ fee: formatTaka(feePoisha) }}`}</p>
      )}
      <CoinAmount value={coins} className="text-xs" />
    </div>
  )
}

/** The button of a step is removed with it. */
const keepFocusInRow = (steps: HTMLElement | null) =>
  recoverFocus(steps?.closest('tr, li')?.querySelector('a'))

type StepsProps = { payout: Payout; batch: PayoutBatchDetails; actions: Actions }

function PayoutSteps({ payout, batch, actions }: StepsProps) {
  const steps: { label: string; run: () => unknown }[] = []
  const box = useRef<HTMLDivElement>(null)
  const stateBefore = useRef<Payout['state']>(null)
  useEffect(() => {
    if (stateBefore.current === null || stateBefore.current === payout.state) return
    stateBefore.current = null
    keepFocusInRow(box.current)
  }, [payout.state])
  if (payout.state === 'queued' && (batch.state === 'draft' || batch.state === 'checked')) {
    steps.push({ label: t`Remove`, run: () => actions.remove(payout) })
  } else if (payout.state === 'sent' && batch.providers.every((name) => name !== batch.provider)) {
    // By hand, or by a provider that is not configured any more: then only what was not submitted to it can fail.
    const isByHand = batch.provider === null
    const isConfirmable = isByHand && (!payout.stopped || batch.exportedAt === null)
    if (isConfirmable) steps.push({ label: t`Paid`, run: () => actions.confirmOne(payout) })
    steps.push(
      { label: t`Failed`, run: () => actions.fail(payout, false) },
      { label: t`Return coins`, run: () => actions.fail(payout, true) },
    )
    if (isByHand) steps.push({ label: t`Unknown`, run: () => actions.markUnknown(payout) })
  } else if (payout.retryable) {
    steps.push({ label: t`Retry payment`, run: () => actions.retry(payout) })
  }
  return (
    <div ref={box} className="flex flex-wrap justify-end gap-2 @5xl:flex-nowrap">
      {steps.map(({ label, run }) => (
        <Button
          key={label}
          variant="default"
          size="xs"
          disabled={actions.isBusy}
          onClick={async () => {
            stateBefore.current = payout.state
            await run()
            // A dialog that asked for a reason closes before or after the new state is shown.
            keepFocusInRow(box.current)
          }}
        >
          {label}
          <span className="sr-only">: {payout.workerName}</span>
        </Button>
      ))}
    </div>
  )
}
