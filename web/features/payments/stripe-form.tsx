import { Button, useComputedColorScheme } from '@mantine/core'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { type FormEvent, useState } from 'react'
import { cardError, paymentErrorMessage } from '#web/features/payments/payment-errors.ts'
import type { Purchase } from '#web/features/payments/use-purchase.ts'
import { formatDollars } from '#web/lib/format.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { IconCreditCard } from '#web/ui/icons.ts'

type Props = { purchase: Purchase; clientSecret: string; publishableKey: string }

let loaded: { key: string; stripe: ReturnType<typeof loadStripe> } | undefined

/** Loads Stripe's script with the first card form, and only once. */
function loadStripeOnce(key: string) {
  if (loaded?.key !== key) loaded = { key, stripe: loadStripe(key) }
  return loaded.stripe
}

/** Renders Stripe's card form. Card data is sent to Stripe and never to this server. */
export default function StripeForm({ purchase, clientSecret, publishableKey }: Props) {
  const dark = useComputedColorScheme() === 'dark'
  const appearance = { theme: dark ? ('night' as const) : ('stripe' as const) }
  return (
    <Elements stripe={loadStripeOnce(publishableKey)} options={{ clientSecret, appearance }}>
      <CardForm purchase={purchase} />
    </Elements>
  )
}

function CardForm({ purchase }: { purchase: Purchase }) {
  const stripe = useStripe()
  const elements = useElements()
  const [ready, setReady] = useState(false)
  const [loadFailed, setLoadFailed] = useState(false)
  const [busy, setBusy] = useState(false)
  const [paymentError, setPaymentError] = useState<string | null>(null)

  const pay = async (event: FormEvent) => {
    event.preventDefault()
    if (!stripe || !elements || busy) return
    setBusy(true)
    setPaymentError(null)
    const charge = async () => {
      const { error, paymentIntent } = await stripe.confirmPayment({
        elements,
        redirect: 'if_required',
        confirmParams: { return_url: window.location.href },
      })
      if (error?.type === 'card_error' || error?.type === 'validation_error')
        throw cardError(error.message ?? 'Your card was declined.')
      if (error || !paymentIntent) throw new Error('The card processor returned no result')
      return paymentIntent.id
    }
    try {
      await purchase.pay(charge)
    } catch (error) {
      setPaymentError(paymentErrorMessage(error))
    } finally {
      setBusy(false)
    }
  }

  if (loadFailed) {
    return (
      <ErrorState
        title="Could not load the card form"
        message="Check your network connection, and that no ad blocker blocks js.stripe.com. Then reload the page. You were not charged."
        retry={() => window.location.reload()}
      />
    )
  }
  return (
    <form onSubmit={(event) => void pay(event)} className="space-y-5" aria-label="Card payment">
      <PaymentElement onReady={() => setReady(true)} onLoadError={() => setLoadFailed(true)} />
      <FormError message={paymentError} />
      <Button
        type="submit"
        size="lg"
        fullWidth
        leftSection={<IconCreditCard size={20} aria-hidden />}
        loading={busy}
        disabled={!ready}
      >
        Pay {formatDollars(purchase.coinPackage.price)}
      </Button>
      <p className="text-xs text-dim">Payments are processed by Stripe. We never see your card number.</p>
    </form>
  )
}
