import { Button, useComputedColorScheme } from '@mantine/core'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { type FormEvent, useState } from 'react'
import type { Package } from '#contract/product.ts'
import { useFinishPayment } from '#web/features/payments/finish-payment.ts'
import { cardErrorMessage, paymentErrorMessage } from '#web/features/payments/payment-errors.ts'
import { formatDollars } from '#web/lib/format.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { IconCreditCard } from '#web/ui/icons.ts'

type Props = { offer: Package; clientSecret: string; publishableKey: string }

let loading: { key: string; stripe: ReturnType<typeof loadStripe> } | undefined

/** Stripe's script is fetched when the first card form is shown, and then never again. */
function stripeWith(key: string) {
  if (loading?.key !== key) loading = { key, stripe: loadStripe(key) }
  return loading.stripe
}

/** Stripe's own card form: what is typed into it goes to Stripe and never to this site. */
export default function StripeForm({ offer, clientSecret, publishableKey }: Props) {
  const dark = useComputedColorScheme() === 'dark'
  const appearance = { theme: dark ? ('night' as const) : ('stripe' as const) }
  return (
    <Elements stripe={stripeWith(publishableKey)} options={{ clientSecret, appearance }}>
      <CardForm offer={offer} />
    </Elements>
  )
}

function CardForm({ offer }: { offer: Package }) {
  const stripe = useStripe()
  const elements = useElements()
  const finish = useFinishPayment(offer)
  const [ready, setReady] = useState(false)
  const [broken, setBroken] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  const pay = async (event: FormEvent) => {
    event.preventDefault()
    if (!stripe || !elements || busy) return
    setBusy(true)
    setFailure(null)
    try {
      const { error, paymentIntent } = await stripe.confirmPayment({
        elements,
        redirect: 'if_required',
        confirmParams: { return_url: window.location.href },
      })
      if (error?.type === 'card_error' || error?.type === 'validation_error')
        throw cardErrorMessage(error.message ?? 'Your card was declined.')
      if (error || !paymentIntent) throw new Error('The card processor gave no answer')
      await finish(paymentIntent.id)
    } catch (error) {
      setFailure(paymentErrorMessage(error))
    } finally {
      setBusy(false)
    }
  }

  if (broken) {
    return (
      <ErrorState
        title="The card form did not load"
        message="Check your network, or whether something blocks js.stripe.com, and load the page again. You were not charged."
        retry={() => window.location.reload()}
      />
    )
  }
  return (
    <form onSubmit={(event) => void pay(event)} className="space-y-5" aria-label="Card payment">
      <PaymentElement onReady={() => setReady(true)} onLoadError={() => setBroken(true)} />
      <FormError message={failure} />
      <Button
        type="submit"
        size="lg"
        fullWidth
        leftSection={<IconCreditCard size={20} aria-hidden />}
        loading={busy}
        disabled={!ready}
      >
        Pay {formatDollars(offer.price)}
      </Button>
      <p className="text-xs text-dim">Paid through Stripe. Your card's number never reaches us.</p>
    </form>
  )
}
