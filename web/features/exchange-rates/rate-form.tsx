import { t } from '@lingui/core/macro'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import {
  type ExchangeRate,
  ExchangeRateEntry,
  enterExchangeRate,
  exchangeRate,
  exchangeRates,
  poishaOf,
} from '#contract/exchange-rates.ts'
import { call } from '#web/lib/api.ts'
import { formatPercent } from '#web/lib/dashboard-format.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCents, formatTaka } from '#web/lib/format.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { confirm } from '#web/ui/dialogs.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { formatTakaRate } from './format-taka-rate.ts'

const { rate, source } = ExchangeRateEntry.shape
const Form = z.object({ rate, source, hours: z.string() })

const VALIDITY = [
  { value: '24', label: t`1 day` },
  { value: '72', label: t`3 days` },
  { value: '168', label: t`1 week` },
  { value: '744', label: t`31 days` },
]

/** Renders the form for a new exchange rate. A dialog shows what it changes before it is sent. */
export function RateForm({ current }: { current: ExchangeRate | null }) {
  const queryClient = useQueryClient()
  const form = useForm({
    schema: Form,
    initialValues: { rate: '', source: '', hours: '24' },
    submit: async (values, attempt) => {
      const confirmed = await confirm({
        title: t`Use ${{ rate: formatTakaRate(values.rate) }} per dollar?`,
        text: `${changeText(values.rate, current)} ${t`A payout of ${{ dollars: formatCents(1000) }} will be ${{ taka: formatTaka(poishaOf(1000, values.rate)) }}. Payouts already released keep their rate.`}`,
        confirmLabel: t`Use this rate`,
      })
      if (!confirmed) return
      const body = { ...values, hours: Number(values.hours) }
      await call(enterExchangeRate, { body }, attempt)
      form.reset()
      await invalidateEndpoints(queryClient, [exchangeRate, exchangeRates])
      void toast({ message: t`The exchange rate was saved.` })
    },
  })
  return (
    <form {...form.props} className="card space-y-5 p-5 sm:p-6">
      <h2 className="text-lg">{t`Enter a new rate`}</h2>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextInput
          label={t`Taka for one dollar`}
          required
          inputMode="decimal"
          autoComplete="off"
          leftSection="৳"
          {...form.field('rate')}
        />
        <NativeSelect label={t`Valid for`} required data={VALIDITY} {...form.field('hours')} />
      </div>
      <TextInput
        label={t`Source`}
        description={t`For example a bank's published rate, with its date`}
        required
        maxLength={200}
        {...form.field('source')}
      />
      <FormError message={form.submitError} />
      <div className="flex justify-end">
        <Button type="submit" loading={form.isSubmitting} className="max-sm:w-full">
          {t`Save rate`}
        </Button>
      </div>
    </form>
  )
}

/** Returns how far a rate is from the current one: a slipped decimal point shows here. */
function changeText(rate: string, current: ExchangeRate | null): string {
  if (current === null) return t`There is no current rate.`
  const difference = Number(rate) - Number(current.rate)
  if (difference === 0) return t`This is the current rate.`
  const percent = Math.round(Math.abs(difference / Number(current.rate)) * 1000) / 10
  const change = percent === 0 ? t`less than ${{ percent: formatPercent(0.1) }}` : formatPercent(percent)
  const rateNow = formatTakaRate(current.rate)
  return difference > 0
    ? t`This is ${change} more than the current rate of ${rateNow}.`
    : t`This is ${change} less than the current rate of ${rateNow}.`
}
