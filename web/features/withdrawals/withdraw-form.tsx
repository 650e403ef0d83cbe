import { t } from '@lingui/core/macro'
import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { type Destination, listDestinations } from '#contract/destinations.ts'
import { PAYMENT_SYSTEMS, type PaymentSystem, WITHDRAWAL_COINS_MIN } from '#contract/product.ts'
import { site } from '#contract/site.ts'
import { withdrawableToAccountText } from '#contract/unavailable-coins.en.ts'
import {
  ACCOUNT_NUMBER_HINT,
  accountNumberOf,
  myWithdrawals,
  requestWithdrawal,
  withdrawable,
} from '#contract/withdrawals.ts'
import { AccountFields } from '#web/features/destinations/account-fields.tsx'
import { destinationName, isUsable } from '#web/features/destinations/destination-name.ts'
import { TakaEstimate } from '#web/features/exchange-rates/taka-estimate.tsx'
import { useWithdrawalRate } from '#web/features/site/site.ts'
import { eligibility } from '#web/features/withdrawals/eligibility.ts'
import { useWithdrawable } from '#web/features/withdrawals/withdrawable-coins.tsx'
import { ApiError, call, errorMessage } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins, formatCoinValue, formatRate } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { invalidateEndpoints, queryOf } from '#web/lib/queries.ts'
import { useSession, useUserData } from '#web/lib/session.tsx'
import { showError, showMessage } from '#web/ui/dialogs.tsx'
import { IconCircleCheck, IconInfoCircle } from '#web/ui/icons.ts'

const Form = z
  .object({
    withdrawalCoin: z.int(t`Enter a whole number of coins`),
    payment_system: z.enum(PAYMENT_SYSTEMS),
    accountNumber: z.string().check(z.trim()),
    /** Empty: another account, which is typed. */
    destinationId: z.string(),
  })
  .check(({ value, issues }) => {
    if (value.destinationId !== '' || accountNumberOf(value.payment_system, value.accountNumber)) return
    const message =
      value.accountNumber === '' ? t`Account number is required` : ACCOUNT_NUMBER_HINT[value.payment_system]
    issues.push({ code: 'custom', input: value.accountNumber, path: ['accountNumber'], message })
  })

/** Renders the withdrawal form. The amount is validated and converted to dollars while it is typed. */
export function WithdrawForm() {
  const user = useUserData()
  const { refetchUser } = useSession()
  const queryClient = useQueryClient()
  const rate = useWithdrawalRate()
  const { data: destinations } = useSuspenseQuery(queryOf(listDestinations, {}))
  const coins = useWithdrawable()

  const form = useForm({
    schema: Form,
    initialValues: {
      withdrawalCoin: '' as number | '',
      payment_system: 'Bkash' as PaymentSystem,
      accountNumber: '',
      destinationId: destinations.find(isUsable)?._id ?? '',
    },
    submit: async ({ destinationId, ...values }, attempt) => {
      const destination = destinations.find(({ _id }) => _id === destinationId)
      const body = {
        ...values,
        ...(destination && {
          destinationId,
          payment_system: destination.payment_system,
          accountNumber: destination.account,
        }),
        workerName: user.user,
        workerEmail: user.email,
        withdrawal_amount: (values.withdrawalCoin * rate) / 100,
        status: 'pending',
        formatted: new Date().toISOString().slice(0, 10),
      }
      const { post } = await call(requestWithdrawal, { params: { email: user.email }, body }, attempt)
      if (!post.acknowledged)
        throw new ApiError(500, 'internal', t`Your request could not be submitted. Please try again.`)
      form.reset()
      await Promise.all([invalidateEndpoints(queryClient, [myWithdrawals, withdrawable]), refetchUser()])
      void showMessage({ title: t`Withdraw Request Sent`, text: t`We will process your request soon!` })
    },
    onError: (error) => {
      void refetchUser()
      // The rate, the destinations and what can be withdrawn may have changed.
      void invalidateEndpoints(queryClient, [site, listDestinations, withdrawable])
      void showError(t`Oops...`, t`Something went wrong!`, errorMessage(error))
    },
  })

  const { withdrawalCoin: requested, payment_system: system, destinationId } = form.values
  const destination = destinations.find(({ _id }) => _id === destinationId)
  // Another account may have been paid before; the server knows.
  const result =
    destination?.state === 'unverified'
      ? eligibility(requested, user.coin, coins?.unverified, withdrawableToAccountText)
      : eligibility(requested, user.coin, coins?.verified)
  return (
    <form {...form.props} className="card space-y-5 p-5 sm:p-6">
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <NumberInput
          label={t`Coins to withdraw`}
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
          label={t`Withdrawal amount`}
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
        {result?.message ??
          t`${{ rate: formatRate(rate) }}. Minimum withdrawal: ${{ coins: formatCoins(WITHDRAWAL_COINS_MIN) }}.`}
      </p>
      {result?.eligible && (destination?.payment_system ?? system) !== 'Other' && (
        <TakaEstimate cents={Number(requested) * rate} />
      )}
      {destinations.length > 0 && (
        <NativeSelect
          label={t`Pay to`}
          data={[
            ...destinations.map((one) => ({
              value: one._id,
              label: choiceOf(one),
              disabled: !isUsable(one),
            })),
            { value: '', label: t`Another account` },
          ]}
          {...form.field('destinationId')}
          value={destination?._id ?? ''}
        />
      )}
      {destination === undefined && (
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <AccountFields
            form={form}
            hint={ACCOUNT_NUMBER_HINT[system]}
            inputMode={system === 'Bank' || system === 'Other' ? 'text' : 'tel'}
          />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Link to="/dashboard/payout-destinations" className="link text-sm">
          {destinations.length === 0 ? t`Save a payout destination` : t`Manage payout destinations`}
        </Link>
        <Button
          type="submit"
          loading={form.isSubmitting}
          disabled={!result?.eligible}
          className="max-sm:w-full"
        >
          {result?.eligible
            ? t`Withdraw ${{ amount: formatCoinValue(Number(requested), rate) }}`
            : t`Withdraw`}
        </Button>
      </div>
    </form>
  )
}

function choiceOf(destination: Destination): string {
  const name = destinationName(destination)
  if (!isUsable(destination)) return t`${name} (from ${{ time: formatDateTime(destination.usableAt) }})`
  return destination.state === 'verified' ? name : t`${name} (not verified yet)`
}
