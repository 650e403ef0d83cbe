import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { type Batch, batch, batches, fundBatch } from '#contract/batches.ts'
import { Day } from '#contract/shapes.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { CostLine } from '#web/features/coins/cost-line.tsx'
import { CostOfAction } from '#web/features/coins/spend-dialog.tsx'
import { CompletionDateField } from '#web/features/tasks/completion-date-field.tsx'
import { useOfferPurchase } from '#web/features/tasks/use-offer-purchase.ts'
import { call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatDateTime, formatDay } from '#web/lib/format-time.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useSession, useUserData } from '#web/lib/session.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { useBatchSchedule } from './schedule-form.tsx'

const Form = z.object({ completion_date: z.pipe(z.string(t`Choose a completion date`), Day) })

type Props = { batch: Batch; cost: NonNullable<Batch['cost']> }

/** Renders the cost of a checked batch and the form that pays it. Its coins move when all items are written. */
export function FundForm({ batch: shown, cost }: Props) {
  const { _id: id, fundingRefusal, scheduled } = shown
  const { schedule, cancelSchedule } = useBatchSchedule()
  const user = useUserData()
  const { refetchUser } = useSession()
  const queryClient = useQueryClient()
  const offerPurchase = useOfferPurchase()
  const form = useForm({
    schema: Form,
    initialValues: { completion_date: scheduled?.completion_date ?? (null as string | null) },
    submit: async ({ completion_date }, attempt) => {
      const { coin, spendable = coin } = (await refetchUser()) ?? user
      // The first attempt may have paid it already.
      if (cost.total > spendable && !attempt.isRetry) return offerPurchase(t`Not now`)
      const body = { completion_date, total: cost.total }
      const funded = await call(fundBatch, { params: { id }, body }, attempt).catch((error: unknown) => {
        void queryClient.invalidateQueries({ queryKey: queryKeyOf(batch) })
        throw error
      })
      queryClient.setQueryData(queryKeyOf(batch, { params: { id } }), funded)
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(batches) })
    },
  })
  return (
    <section aria-label={t`Payment`} className="card p-5 sm:p-6">
      <h2 className="mb-4 text-lg">{t`Cost`}</h2>
      <form {...form.props} className="space-y-5">
        <CostOfAction total={cost.total}>
          <CostLine
            label={[
              plural(cost.items, { one: '# item', other: '# items' }),
              plural(cost.workersPerItem, { one: '# worker', other: '# workers' }),
              formatNumber(cost.reward),
            ].join(' × ')}
          >
            <CoinAmount value={cost.pay} />
          </CostLine>
          {cost.fee > 0 && (
            <CostLine label={t`Marketplace fee`}>
              <CoinAmount value={cost.fee} />
            </CostLine>
          )}
          <CostLine label={t`Total cost`} sum>
            <CoinAmount value={cost.total} className="text-xl" />
          </CostLine>
        </CostOfAction>
        <CompletionDateField className="sm:max-w-64" {...form.field('completion_date')} />
        <p className="text-sm text-dim">
          {t`The batch is paid as a whole or not at all. Coins are held in escrow and paid when you approve the work. Unused coins are refunded.`}
          {cost.fee > 0 && ` ${t`The fee is not refunded.`}`}
        </p>
        <FormError message={form.submitError ?? (form.wasSubmitted ? null : fundingRefusal)} />
        {scheduled !== null && (
          <p className="text-sm font-nav">{t`Will be posted ${{ time: formatDateTime(scheduled.postAt) }}, your local time. Last day to submit: ${{ day: formatDay(scheduled.completion_date) }}`}</p>
        )}
        <div className="flex flex-wrap justify-end gap-3">
          {scheduled !== null && (
            <Button
              variant="default"
              disabled={form.isSubmitting}
              onClick={() => void cancelSchedule(shown)}
              className="max-sm:w-full"
            >{t`Cancel schedule`}</Button>
          )}
          <Button
            variant="default"
            disabled={form.isSubmitting}
            onClick={() => void schedule(shown, cost.total)}
            className="max-sm:w-full"
          >{t`Schedule`}</Button>
          <Button type="submit" loading={form.isSubmitting} className="max-sm:w-full">
            {t`Pay ${{ coins: formatCoins(cost.total) }}`}
          </Button>
        </div>
      </form>
    </section>
  )
}
