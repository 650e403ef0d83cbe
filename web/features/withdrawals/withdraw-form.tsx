import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { PAYMENT_SYSTEMS, type PaymentSystem } from '#contract/product.ts'
import { site } from '#contract/site.ts'
import {
  ACCOUNT_NUMBER_HINT,
  accountNumberOf,
  myWithdrawals,
  requestWithdrawal,
} from '#contract/withdrawals.ts'
import { TakaEstimate } from '#web/features/exchange-rates/taka-estimate.tsx'
import { useWithdrawalRate } from '#web/features/site/site.ts'
import { eligibility } from '#web/features/withdrawals/eligibility.ts'
import { ApiError, call, errorMessage } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoinValue, formatRate, PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useSession, useUserData } from '#web/lib/session.tsx'
import { showError, showMessage } from '#web/ui/dialogs.tsx'
import { IconCircleCheck, IconInfoCircle } from '#web/ui/icons.ts'

const Form = z
  .object({
    withdrawalCoin: z.int('Enter a whole number of coins'),
    payment_system: z.enum(PAYMENT_SYSTEMS),
    accountNumber: z.string().check(z.trim(), z.minLength(1, 'Account number is required')),
  })
  .check(({ value, issues }) => {
    if (value.accountNumber === '' || accountNumberOf(value.payment_system, value.accountNumber)) return
    const message = ACCOUNT_NUMBER_HINT[value.payment_system]
    issues.push({ code: 'custom', input: value.accountNumber, path: ['accountNumber'], message })
  })

/** Renders the withdrawal form. The amount is validated and converted to dollars while it is typed. */
export function WithdrawForm() {
  const user = useUserData()
  const { refetchUser } = useSession()
  const queryClient = useQueryClient()
  const rate = useWithdrawalRate()

  const form = useForm({
    schema: Form,
    initialValues: {
      withdrawalCoin: '' as number | '',
      payment_system: 'Bkash' as PaymentSystem,
      accountNumber: '',
    },
    submit: async (values, { idempotencyKey }) => {
      const body = {
        ...values,
        workerName: user.user,
        workerEmail: user.email,
        withdrawal_amount: (values.withdrawalCoin * rate) / 100,
        status: 'pending',
        formatted: new Date().toISOString().slice(0, 10),
      }
      const { post } = await call(
        requestWithdrawal,
        { params: { email: user.email }, body },
        { idempotencyKey },
      )
      if (!post.acknowledged)
        throw new ApiError(500, 'internal', 'Your request could not be submitted. Please try again.')
      form.reset()
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeyOf(myWithdrawals) }),
        refetchUser(),
      ])
      void showMessage({ title: 'Withdraw Request Sent', text: 'We will process your request soon!' })
    },
    onError: (error) => {
      void refetchUser()
      void queryClient.invalidateQueries({ queryKey: queryKeyOf(site) }) // the rate may have changed
      void showError('Oops...', 'Something went wrong!', errorMessage(error))
    },
  })

  const { withdrawalCoin: requested, payment_system: system } = form.values
  const account = form.field('accountNumber')
  const result = eligibility(requested, user.coin)
  return (
    <form {...form.props} className="card space-y-5 p-5 sm:p-6">
      <div className="grid gap-5 sm:grid-cols-2">
        <NumberInput
          label="Coins to withdraw"
          required
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="none"
          thousandSeparator=","
          thousandsGroupStyle="lakh"
          step={20}
          min={0}
          aria-describedby="withdraw-verdict"
          {...form.field('withdrawalCoin')}
        />
        <TextInput
          label="Withdrawal amount"
          readOnly
          value={formatCoinValue(
            typeof requested === 'number' && Number.isSafeInteger(requested) ? requested : 0,
            rate,
          )}
          rightSection={<span className="pr-3 text-sm text-dim">USD</span>}
          rightSectionWidth={56}
        />
      </div>
      <p
        id="withdraw-verdict"
        role="status"
        className={`flex min-h-6 items-center gap-2 text-sm font-nav ${result?.eligible ? 'text-brand' : result ? 'text-danger' : 'text-dim'}`}
      >
        {result?.eligible ? (
          <IconCircleCheck size={20} className="shrink-0" aria-hidden />
        ) : (
          <IconInfoCircle size={20} className="shrink-0" aria-hidden />
        )}
        {result?.message ?? `${formatRate(rate)}. Minimum withdrawal: 200 coins.`}
      </p>
      {result?.eligible && system !== 'Other' && <TakaEstimate cents={Number(requested) * rate} />}
      <div className="grid gap-5 sm:grid-cols-2">
        <NativeSelect
          label="Payment system"
          required
          data={PAYMENT_SYSTEMS.map((value) => ({ value, label: PAYMENT_SYSTEM_NAMES[value] }))}
          {...form.field('payment_system')}
        />
        <TextInput
          label="Account number"
          required
          inputMode={system === 'Bank' || system === 'Other' ? 'text' : 'tel'}
          autoComplete="off"
          maxLength={200}
          {...account}
          description={account.error ? undefined : ACCOUNT_NUMBER_HINT[system]}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      </div>
      <div className="flex justify-end">
        <Button
          type="submit"
          loading={form.isSubmitting}
          disabled={!result?.eligible}
          className="max-sm:w-full"
        >
          {result?.eligible ? `Withdraw ${formatCoinValue(Number(requested), rate)}` : 'Withdraw'}
        </Button>
      </div>
    </form>
  )
}
