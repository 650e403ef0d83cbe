import { t } from '@lingui/core/macro'
import { Button, useComputedColorScheme } from '@mantine/core'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure/index.mjs'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { buyerMessageOf, cardError, transactionOf } from '#web/features/payments/payment-errors.ts'
import { RETURN_TO, useReturnToTask } from '#web/features/payments/return-to-task.ts'
import type { Purchase } from '#web/features/payments/use-purchase.ts'
import { formatDollars } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { IconCreditCard } from '#web/ui/icons.ts'
import { ListSkeleton } from '#web/ui/skeleton.tsx'

type Props = {
  purchase: Purchase
  clientSecret: string
  /** Lets the form offer the buyer's saved cards, and save this one. */
  customerSecret: string | undefined
  publishableKey: string
}

const LOAD_TIMEOUT_MS = 4_000

/**
 * Loads Stripe's script. A blocker may leave it pending for minutes, so a script that takes too long counts as failed:
 * Stripe's loader then tries again, and starts over at the next call.
 */
async function loadScript(publishableKey: string): Promise<Stripe> {
  const timer = setInterval(() => {
    document.querySelector('script[src^="https://js.stripe.com/"]')?.dispatchEvent(new Event('error'))
  }, LOAD_TIMEOUT_MS)
  try {
    const stripe = await loadStripe(publishableKey)
    if (stripe === null) throw new Error("Stripe's script was loaded outside a browser")
    return stripe
  } finally {
    clearInterval(timer)
  }
}

/** Renders Stripe's card form. Card data is sent to Stripe and never to this server. */
export default function StripeForm({ purchase, clientSecret, customerSecret, publishableKey }: Props) {
  const dark = useComputedColorScheme() === 'dark'
  const script = useQuery({
    queryKey: ['stripe', publishableKey],
    queryFn: () => loadScript(publishableKey),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    structuralSharing: false,
    retry: false,
  })
  if (script.isFetching) return <ListSkeleton rows={3} />
  if (script.isError) return <LoadError retry={() => void script.refetch()} />
  const appearance = { theme: dark ? ('night' as const) : ('stripe' as const) }
  return (
    <Elements
      stripe={script.data ?? null}
      options={{
        clientSecret,
        appearance,
        ...(customerSecret && { customerSessionClientSecret: customerSecret }),
      }}
    >
      <CardForm purchase={purchase} clientSecret={clientSecret} />
    </Elements>
  )
}

function LoadError({ retry }: { retry: () => void }) {
  return (
    <ErrorState
      title={t`Could not load the card form`}
      message={t`Check your network connection, and that no ad blocker blocks js.stripe.com. You were not charged.`}
      retry={retry}
    />
  )
}

/**
 * Returns this screen's URL for the bank's own page to return to, with the coins of the package, which may have changed by then,
 * and the screen of the task that they are for.
 */
function returnUrl({ coinPackage }: Purchase, returnTo: string | undefined): string {
  const url = new URL(window.location.href)
  url.searchParams.set('coins', String(coinPackage.coins))
  if (returnTo !== undefined) url.searchParams.set(RETURN_TO, returnTo)
  return url.href
}

function CardForm({ purchase, clientSecret }: Pick<Props, 'purchase' | 'clientSecret'>) {
  const stripe = useStripe()
  const elements = useElements()
  const { name, email } = useUserData()
  const returnTo = useReturnToTask()
  const [ready, setReady] = useState(false)
  const [loadFailed, setLoadFailed] = useState(false)
  const [busy, setBusy] = useState(false)

  const charge = async () => {
    if (!stripe || !elements) throw new Error("Stripe's form is not loaded")
    const { error } = await stripe.confirmPayment({
      elements,
      redirect: 'if_required',
      confirmParams: {
        return_url: returnUrl(purchase, returnTo),
        // Stripe's fraud detection compares them; its form asks for neither.
        payment_method_data: { billing_details: { name, email } },
      },
    })
    const reason = error && buyerMessageOf(error)
    if (reason !== undefined) throw cardError(reason)
    // Other errors do not say whether the card was charged, such as a lost connection or a payment in another tab. The
    // server asks Stripe.
    return transactionOf(clientSecret)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    await purchase.pay(charge)
    setBusy(false)
  }

  // The element cannot be loaded again on its own.
  if (loadFailed) return <LoadError retry={() => window.location.reload()} />
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-5" aria-label={t`Card payment`}>
      <PaymentElement onReady={() => setReady(true)} onLoadError={() => setLoadFailed(true)} />
      <FormError message={purchase.error} />
      <Button
        type="submit"
        size="lg"
        fullWidth
        leftSection={<IconCreditCard size={20} aria-hidden />}
        loading={busy}
        disabled={!ready}
      >
        {t`Pay ${{ amount: formatDollars(purchase.total) }}`}
      </Button>
      <p className="text-xs text-dim">{t`Payments are processed by Stripe. We never see your card number.`}</p>
    </form>
  )
}
