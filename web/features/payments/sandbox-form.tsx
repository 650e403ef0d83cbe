import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Checkbox, Radio, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { sandboxAuthenticate, sandboxConfirm, sandboxConfirmSaved } from '#contract/sandbox-cards.ts'
import { type SavedCard, savedCards } from '#contract/saved-cards.ts'
import { cardError, transactionOf } from '#web/features/payments/payment-errors.ts'
import { cardLabel } from '#web/features/payments/payment-status.tsx'
import { expiryLabel } from '#web/features/payments/saved-cards.tsx'
import { ThreeDSecureDialog } from '#web/features/payments/three-d-secure.tsx'
import type { Purchase } from '#web/features/payments/use-purchase.ts'
import { ApiError, call, type Reply } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { formatDollars } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { FormError } from '#web/ui/form-error.tsx'
import { IconCreditCard, IconInfoCircle } from '#web/ui/icons.ts'
import { ListSkeleton } from '#web/ui/skeleton.tsx'

const Card = z.object({
  number: z.string().check(z.regex(/^[\d ]{13,23}$/, t`Your card number is incomplete.`)),
  expiry: z
    .string()
    .check(z.regex(/^(0[1-9]|1[0-2]) \/ \d{2}$/, t`Your card's expiration date is incomplete.`)),
  cvc: z.string().check(z.regex(/^\d{3,4}$/, t`Your card's security code is incomplete.`)),
  save: z.boolean(),
})

const TEST_CARDS = [
  { number: '4242 4242 4242 4242', outcome: t`Payment succeeds` },
  { number: '4000 0025 0000 3155', outcome: t`Requires 3-D Secure authentication` },
  { number: '4000 0000 0000 0002', outcome: t`Card declined` },
  { number: '4000 0000 0000 9995', outcome: t`Insufficient funds` },
]

type Props = { purchase: Purchase; clientSecret: string }
type Pay = (send: () => Promise<Reply<typeof sandboxConfirm>>) => Promise<void>

/** Renders the card form of the sandbox, which accepts only test cards, and the buyer's saved ones. */
export default function SandboxForm({ purchase, clientSecret }: Props) {
  const [challenge, setChallenge] = useState<((agreed: boolean) => void) | null>(null)
  // The card processor's script requests them in Stripe's form. A failure leaves the form for a new card.
  const query = useQuery({ ...queryOf(savedCards, {}), retry: false })
  const saved = query.data ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const choice = chosen ?? saved[0]?._id ?? NEW_CARD
  const card = saved.find(({ _id }) => _id === choice)

  const authenticate = () =>
    new Promise<boolean>((resolve) => {
      setChallenge(() => (agreed: boolean) => {
        setChallenge(null)
        resolve(agreed)
      })
    })
  const charge = async (send: () => Promise<Reply<typeof sandboxConfirm>>) => {
    let attempt: Reply<typeof sandboxConfirm>
    try {
      attempt = await send()
    } catch (error) {
      // The payment was made in another tab, or cancelled. The server knows which.
      if (error instanceof ApiError && error.code === 'state_conflict') return transactionOf(clientSecret)
      throw error
    }
    if (attempt.status === 'requires_action') {
      attempt = await call(sandboxAuthenticate, { body: { clientSecret, agreed: await authenticate() } })
    }
    if (attempt.status !== 'succeeded') throw cardError(attempt.error?.message ?? t`Your card was declined.`)
    return attempt.transactionId
  }
  const pay: Pay = async (send) => void (await purchase.pay(() => charge(send)))

  if (query.isPending) return <ListSkeleton rows={3} />

  return (
    <div className="space-y-5">
      <p className="flex items-start gap-2 rounded-control bg-gold px-4 py-3 text-sm text-on-gold">
        <IconInfoCircle size={20} className="shrink-0" aria-hidden />
        <span>
          <Trans>
            <strong className="font-number">TEST MODE.</strong> No real money is charged, and real cards are
            not accepted.
          </Trans>
          {card === undefined && <> {t`Use one of the test cards below.`}</>}
        </span>
      </p>
      {saved.length > 0 && (
        <Radio.Group label={t`Pay with`} value={choice} onChange={setChosen}>
          <div className="mt-2 space-y-3">
            {saved.map((one) => (
              <Radio
                key={one._id}
                value={one._id}
                label={cardLabel({ card: one })}
                description={expiryLabel(one)}
              />
            ))}
            <Radio value={NEW_CARD} label={t`Another card`} />
          </div>
        </Radio.Group>
      )}
      {card === undefined ? (
        <NewCardForm purchase={purchase} clientSecret={clientSecret} pay={pay} />
      ) : (
        <SavedCardForm key={card._id} purchase={purchase} clientSecret={clientSecret} card={card} pay={pay} />
      )}
      <ThreeDSecureDialog purchase={purchase} onResult={challenge} />
    </div>
  )
}

const NEW_CARD = 'new'

function SavedCardForm({ purchase, clientSecret, card, pay }: Props & { card: SavedCard; pay: Pay }) {
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    await pay(() => call(sandboxConfirmSaved, { body: { clientSecret, card: card._id } }))
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-5" aria-label={t`Card payment`}>
      <FormError message={purchase.error} />
      <PayButton purchase={purchase} loading={busy} />
    </form>
  )
}

function PayButton({ purchase, loading }: { purchase: Purchase; loading: boolean }) {
  return (
    <Button
      type="submit"
      size="lg"
      fullWidth
      className="min-h-[50px]!"
      leftSection={<IconCreditCard size={20} aria-hidden />}
      loading={loading}
    >
      {t`Pay ${{ amount: formatDollars(purchase.total) }}`}
    </Button>
  )
}

function NewCardForm({ purchase, clientSecret, pay }: Props & { pay: Pay }) {
  const form = useForm({
    schema: Card,
    initialValues: { number: '', expiry: '', cvc: '', save: false },
    submit: async ({ number, expiry, cvc, save }) => {
      const [month, year] = expiry.split(' / ').map(Number)
      const card = { number, expMonth: month ?? 0, expYear: 2000 + (year ?? 0), cvc, save }
      await pay(() => call(sandboxConfirm, { body: { clientSecret, ...card } }))
    },
  })

  const fillIn = (number: string) => {
    form.setValue('number', number)
    form.setValue('expiry', '12 / 34')
    form.setValue('cvc', '123')
  }
  const number = form.field('number')
  const expiry = form.field('expiry')
  const cvc = form.field('cvc')

  return (
    <form {...form.props} className="space-y-5" aria-label={t`Card payment`}>
      <TextInput
        label={t`Card number`}
        required
        inputMode="numeric"
        autoComplete="off"
        placeholder="4242 4242 4242 4242"
        {...number}
        onChange={(event) => number.onChange(groupDigits(event.currentTarget.value))}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextInput
          label={t`Expiry`}
          required
          inputMode="numeric"
          autoComplete="off"
          placeholder={t`MM / YY`}
          {...expiry}
          onChange={(event) => expiry.onChange(formatExpiry(event.currentTarget.value, expiry.value))}
        />
        <TextInput
          label={t`CVC`}
          required
          inputMode="numeric"
          autoComplete="off"
          placeholder="123"
          maxLength={4}
          {...cvc}
          onChange={(event) => cvc.onChange(event.currentTarget.value.replace(/\D/g, ''))}
        />
      </div>
      <Checkbox
        label={t`Save this card for next time`}
        checked={form.field('save').value}
        onChange={(event) => form.setValue('save', event.currentTarget.checked)}
      />
      <FormError message={purchase.error} />
      <PayButton purchase={purchase} loading={form.isSubmitting} />
      <section aria-labelledby="test-cards">
        <h2 id="test-cards" className="text-sm font-nav tracking-normal">
          {t`Test cards`}
        </h2>
        <ul className="mt-2 grid gap-2 sm:grid-cols-2">
          {TEST_CARDS.map((card) => (
            <li key={card.number}>
              <button
                type="button"
                className="min-h-11 w-full rounded-control border border-line px-3 py-2 text-left text-xs hover:bg-canvas"
                disabled={form.isSubmitting}
                onClick={() => fillIn(card.number)}
              >
                <span className="block font-number tabular-nums">{card.number}</span>
                <span className="text-dim">{card.outcome}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </form>
  )
}

function groupDigits(typed: string): string {
  return (
    typed
      .replace(/\D/g, '')
      .slice(0, 19)
      .match(/.{1,4}/g) ?? []
  ).join(' ')
}

/** Formats "1234" as "12 / 34". Deleting the digit before the slash deletes the slash. */
function formatExpiry(typed: string, before: string): string {
  const digits = typed.replace(/\D/g, '').slice(0, 4)
  const deleting = typed.length < before.length
  if (digits.length < 2 || (digits.length === 2 && deleting)) return digits
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`
}
