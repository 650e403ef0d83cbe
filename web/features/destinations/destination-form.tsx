import { t } from '@lingui/core/macro'
import { Button, TextInput } from '@mantine/core'
import * as z from 'zod/mini'
import {
  addDestination,
  BANK_ACCOUNT_HINT,
  changeDestination,
  type Destination,
  DestinationInput,
  destinationNumberOf,
  hasRoutingCheckDigit,
  ROUTING_NUMBER_HINT,
  routingNumberOf,
} from '#contract/destinations.ts'
import type { PaymentSystem } from '#contract/product.ts'
import { validationText } from '#contract/validation-texts.en.ts'
import { ACCOUNT_NUMBER_HINT } from '#contract/withdrawals.ts'
import { call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { AccountFields } from './account-fields.tsx'

const { payment_system, accountNumber, holderName } = DestinationInput.shape
const Form = z
  .object({
    payment_system,
    accountNumber,
    holderName,
    bankName: z.string(),
    branch: z.string(),
    routingNumber: z.string(),
  })
  .check(({ value, issues }) => {
    const isBank = value.payment_system === 'Bank'
    const report = (field: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [field], message })
    if (destinationNumberOf(value.payment_system, value.accountNumber) === undefined)
      report('accountNumber', numberHint(value.payment_system))
    if (isBank && value.bankName.trim() === '') report('bankName', t`Bank is required`)
    if (isBank && routingNumberOf(value.routingNumber) === undefined)
      report('routingNumber', ROUTING_NUMBER_HINT)
  })

const numberHint = (system: PaymentSystem) =>
  system === 'Bank' ? BANK_ACCOUNT_HINT : ACCOUNT_NUMBER_HINT[system]

type Props = {
  /** The destination to change; without one, another one is added. */
  changed?: Destination | undefined
  onSaved: (saved: Destination) => void
  onCancel: () => void
}

/** Renders the form for a payout destination. Changing one replaces it. */
export function DestinationForm({ changed, onSaved, onCancel }: Props) {
  const form = useForm({
    about: changed?._id ?? '',
    schema: Form,
    initialValues: {
      payment_system: changed?.payment_system ?? ('Bkash' as PaymentSystem),
      accountNumber: changed?.accountNumber ?? '',
      holderName: changed?.holderName ?? '',
      bankName: changed?.bankName ?? '',
      branch: changed?.branch ?? '',
      routingNumber: changed?.routingNumber ?? '',
    },
    submit: async ({ bankName, branch, routingNumber, ...values }) => {
      const bank = { bankName, routingNumber, ...(branch.trim() !== '' && { branch }) }
      const body = { ...values, ...(values.payment_system === 'Bank' && bank) }
      onSaved(
        changed === undefined
          ? await call(addDestination, { body })
          : await call(changeDestination, { params: { id: changed._id }, body }),
      )
    },
  })
  const { payment_system: system } = form.values
  const isBank = system === 'Bank'
  const routing = form.field('routingNumber')
  const routingNumber = routingNumberOf(form.values.routingNumber)
  const looksWrong = routingNumber !== undefined && !hasRoutingCheckDigit(routingNumber)
  return (
    <form {...form.props} className="card space-y-5 p-5 sm:p-6">
      <h2 className="text-lg">{changed === undefined ? t`Add a destination` : t`Change this destination`}</h2>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <AccountFields
          form={form}
          hint={numberHint(system)}
          inputMode={system === 'Other' ? 'text' : 'tel'}
        />
        <TextInput
          label={t`Account holder's name`}
          required
          autoComplete="name"
          maxLength={60}
          {...form.field('holderName')}
        />
        {isBank && (
          <>
            <TextInput
              label={t`Bank`}
              required
              autoComplete="off"
              maxLength={50}
              {...form.field('bankName')}
            />
            <TextInput label={t`Branch`} autoComplete="off" maxLength={40} {...form.field('branch')} />
            <TextInput
              label={t`Routing number`}
              required
              inputMode="numeric"
              autoComplete="off"
              maxLength={40}
              {...routing}
              description={
                routing.error
                  ? undefined
                  : looksWrong
                    ? t`This does not look like a routing number. Compare it with your cheque book.`
                    : validationText(ROUTING_NUMBER_HINT)
              }
              inputWrapperOrder={['label', 'input', 'description', 'error']}
            />
          </>
        )}
      </div>
      <p className="text-sm text-dim">
        {t`We email you whenever a destination is added, changed or removed, so that you notice if somebody else did it.`}
      </p>
      <FormError message={form.submitError} />
      <FormActions onCancel={onCancel}>
        <Button type="submit" loading={form.isSubmitting}>
          {t`Save destination`}
        </Button>
      </FormActions>
    </form>
  )
}
