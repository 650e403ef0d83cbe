import { t } from '@lingui/core/macro'
import { NativeSelect, TextInput } from '@mantine/core'
import { PAYMENT_SYSTEMS, type PaymentSystem } from '#contract/product.ts'
import { validationText } from '#contract/validation-texts.en.ts'
import { PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'

type Field = 'payment_system' | 'accountNumber'

type Props = {
  /** A form with these two fields (`useForm`). */
  form: {
    field(name: Field): { value: string; error: string | undefined; onChange: (change: unknown) => void }
    revalidate(name: Field): void
    values: { payment_system: PaymentSystem }
  }
  /** The format of the account number, of the texts of validation. */
  hint: string
  inputMode: 'tel' | 'text'
}

/** Renders where money is sent: the payment system, and the account number there, whose format depends on it. */
export function AccountFields({ form, hint, inputMode }: Props) {
  const system = form.field('payment_system')
  const number = form.field('accountNumber')
  return (
    <>
      <NativeSelect
        label={t`Payment system`}
        required
        data={PAYMENT_SYSTEMS.map((value) => ({ value, label: PAYMENT_SYSTEM_NAMES[value] }))}
        {...system}
        onChange={(event) => {
          system.onChange(event)
          form.revalidate('accountNumber')
        }}
      />
      <TextInput
        label={t`Account number`}
        required
        inputMode={inputMode}
        autoComplete="off"
        maxLength={200}
        {...number}
        description={number.error ? undefined : validationText(hint)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    </>
  )
}
