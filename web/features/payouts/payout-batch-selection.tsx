import { t } from '@lingui/core/macro'
import { Button, Checkbox } from '@mantine/core'
import { useNavigate } from 'react-router'
import { createPayoutBatch, listPayoutBatches } from '#contract/payouts.ts'
import { pendingWithdrawals, type WithdrawalRequest } from '#contract/withdrawals.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatDollars, formatNumber } from '#web/lib/format.ts'
import { useChange } from '#web/lib/use-change.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { showMessage } from '#web/ui/dialogs.tsx'
import type { RowSelection } from '#web/ui/use-row-selection.ts'

type Selection = RowSelection<WithdrawalRequest>

/** Renders the selection of requests with their total, and a button that makes a payout batch of them. */
export function PayoutBatchSelection({ selection }: { selection: Selection }) {
  const { selectable, selectableCount, selected, selectAll } = selection
  const navigate = useNavigate()
  const isShown = useIsShown()
  const { change, pendingId } = useChange([listPayoutBatches, pendingWithdrawals])
  if (selectable.length === 0) return null
  const dollars = selected.reduce((sum, { withdrawal_amount }) => sum + withdrawal_amount, 0)

  async function create(): Promise<void> {
    try {
      const withdrawalIds = selected.map(({ _id }) => _id)
      const { insertedId } = await change('new', () => call(createPayoutBatch, { body: { withdrawalIds } }))
      if (isShown()) await navigate(`/dashboard/payouts/${insertedId}`)
    } catch (error) {
      await showMessage({
        title: t`Could not create the payout batch`,
        text: errorMessage(error),
        tone: 'error',
      })
    }
  }

  return (
    <div className="card sticky top-[76px] z-10 mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-3">
      <Checkbox
        label={
          selectableCount < selectable.length
            ? t`Select the first ${{ count: formatNumber(selectableCount) }}`
            : t`Select all ${{ count: formatNumber(selectableCount) }}`
        }
        checked={selected.length === selectableCount}
        indeterminate={selected.length > 0 && selected.length < selectableCount}
        onChange={(event) => selectAll(event.currentTarget.checked)}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="text-sm text-dim">
          {selected.length === 0
            ? t`Nothing selected`
            : t`${{ count: formatNumber(selected.length) }} selected, ${{ amount: formatDollars(dollars) }}`}
        </p>
        <Button disabled={selected.length === 0} loading={pendingId !== null} onClick={() => void create()}>
          {t`Create payout batch`}
        </Button>
      </div>
    </div>
  )
}
