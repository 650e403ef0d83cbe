import { plural, t } from '@lingui/core/macro'
import { Button, NativeSelect } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type Payout, type PayoutBatchDetails, payoutBatch } from '#contract/payouts.ts'
import { formatTakaRate } from '#web/features/exchange-rates/format-taka-rate.ts'
import { PayoutBatchFileSection } from '#web/features/payout-files/payout-batch-file-section.tsx'
import { PayoutBatchStateBadge } from '#web/features/payouts/payout-state.tsx'
import { PayoutsOfBatch } from '#web/features/payouts/payouts-of-batch.tsx'
import { usePayoutBatchActions } from '#web/features/payouts/use-payout-batch-actions.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatCoins, formatDollars, formatTaka, PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useUserData } from '#web/lib/session.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders a payout batch: its totals, who did which step, its payouts, and the next step. */
export default function PayoutBatchScreen() {
  const { id = '' } = useParams()
  const { data } = useSuspenseQuery(queryOf(payoutBatch, { params: { id } }))
  const batch = withTaka(data)
  const actions = usePayoutBatchActions(batch)
  const payouts = batch.payouts.filter(({ state }) => state !== 'removed')
  const fees = payouts.flatMap(({ feePoisha }) => feePoisha ?? [])
  return (
    <Screen
      title={t`Payout Batch`}
      subtitle={t`${plural(payouts.length, { one: '# payout', other: '# payouts' })}, ${{ amount: formatDollars(batch.cents / 100) }}`}
      action={<BatchSteps batch={batch} actions={actions} />}
    >
      <div className="space-y-6">
        <section className="card px-5 py-2" aria-label={t`Summary`}>
          <StatList>
            <StatRow name={t`State`}>
              <PayoutBatchStateBadge state={batch.state} />
            </StatRow>
            <StatRow name={t`Total`}>
              {formatDollars(batch.cents / 100)} · {formatCoins(batch.coins)}
            </StatRow>
            <StatRow name={t`Payment system`}>
              {batch.payment_system === null ? t`Several` : PAYMENT_SYSTEM_NAMES[batch.payment_system]}
            </StatRow>
            {batch.rate !== null && (
              <StatRow name={t`Exchange rate`}>
                {t`1 dollar = ${{ rate: formatTakaRate(batch.rate) }}`}
              </StatRow>
            )}
            {fees.length > 0 && (
              <StatRow name={t`Provider's fees`}>
                {formatTaka(fees.reduce((sum, fee) => sum + fee, 0))}
              </StatRow>
            )}
            <StatRow name={t`Paid by`}>
              <ProviderChoice batch={batch} actions={actions} />
            </StatRow>
            {STEPS.map(({ name, by, at }) => {
              const time = batch[at]
              return (
                time !== null && (
                  <StatRow key={name} name={name}>
                    {by && batch[by] && (
                      <>
                        <UserLink id={batch[by]._id} name={batch[by].name} />,{' '}
                      </>
                    )}
                    {formatDateTime(time)}
                  </StatRow>
                )
              )
            })}
          </StatList>
        </section>
        <PayoutBatchFileSection batch={batch} />
        <PayoutsOfBatch batch={batch} actions={actions} />
      </div>
    </Screen>
  )
}

/** Returns the batch with null for the rate and the amounts in taka, which the previous version of the server does not send. */
function withTaka(batch: PayoutBatchDetails): PayoutBatchDetails {
  const { rate = null }: Partial<PayoutBatchDetails> = batch
  const payouts = batch.payouts.map((payout) => {
    const { poisha = null }: Partial<Payout> = payout
    return { ...payout, poisha }
  })
  return { ...batch, rate, payouts }
}

const BY_HAND = t`Manual or payout file`
/** The texts of providers whose name is not enough. */
const PROVIDER_NAMES: Record<string, string> = { sandbox: t`Sandbox (no money moves)` }

/** Renders what pays a batch, and the choice while it is a draft and a payment provider is set up. */
function ProviderChoice({ batch: { state, provider, providers }, actions }: StepsProps) {
  const nameOf = (name: string) => PROVIDER_NAMES[name] ?? name
  if (state !== 'draft' || providers.length === 0) return provider === null ? BY_HAND : nameOf(provider)
  return (
    <NativeSelect
      aria-label={t`Paid by`}
      data={[{ value: '', label: BY_HAND }, ...providers.map((value) => ({ value, label: nameOf(value) }))]}
      value={provider ?? ''}
      disabled={actions.isBusy}
      onChange={({ currentTarget: { value } }) =>
        void actions.setProvider(providers.find((one) => one === value) ?? null)
      }
    />
  )
}

const STEPS = [
  { name: t`Created`, by: 'createdBy', at: 'createdAt' },
  { name: t`Checked`, by: 'checkedBy', at: 'checkedAt' },
  { name: t`Released`, by: 'releasedBy', at: 'releasedAt' },
  { name: t`Exported`, by: null, at: 'exportedAt' },
  { name: t`Reconciled`, by: null, at: 'reconciledAt' },
  { name: t`Cancelled`, by: null, at: 'cancelledAt' },
] as const

type StepsProps = { batch: PayoutBatchDetails; actions: ReturnType<typeof usePayoutBatchActions> }

function BatchSteps({ batch, actions }: StepsProps) {
  const { _id: viewerId } = useUserData()
  const { state, payouts, twoPeople } = batch
  // The button of a step is removed with it.
  useFocusRecovery(state)
  const canRelease = state === 'draft' ? !twoPeople : !(twoPeople && batch.checkedBy?._id === viewerId)
  if (state === 'draft' || state === 'checked') {
    return (
      <div className="flex flex-wrap items-center justify-end gap-3">
        {state === 'checked' && !canRelease && (
          <p className="text-sm text-dim">{t`You checked it. Another Admin releases it.`}</p>
        )}
        <Button variant="default" disabled={actions.isBusy} onClick={() => void actions.cancel()}>
          {t`Cancel payout batch`}
        </Button>
        {state === 'draft' && !canRelease && (
          <Button loading={actions.isBusy} onClick={() => void actions.check()}>
            {t`Check`}
          </Button>
        )}
        {canRelease && (
          <Button loading={actions.isBusy} onClick={() => void actions.release()}>
            {t`Release`}
          </Button>
        )}
      </div>
    )
  }
  const isPayable = payouts.some((payout) => payout.state === 'sent' && !payout.stopped)
  if (!isPayable || batch.provider !== null) return null
  return (
    <Button loading={actions.isBusy} onClick={() => void actions.confirmAll()}>
      {t`Mark all as paid`}
    </Button>
  )
}
