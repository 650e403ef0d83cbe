import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import { createPaymentIntent } from '#contract/payments.ts'
import type { Package } from '#contract/product.ts'
import { site as siteEndpoint } from '#contract/site.ts'
import type { AddedTax } from '#contract/tax.ts'
import { OrderSummary } from '#web/features/payments/order-summary.tsx'
import { RETURN_TO, useReturnToTask } from '#web/features/payments/return-to-task.ts'
import { type Purchase, usePurchase } from '#web/features/payments/use-purchase.ts'
import { useSite } from '#web/features/site/site.ts'
import { ApiError, call, errorMessage } from '#web/lib/api.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useSearchParams, withParam } from '#web/lib/search-params.ts'
import { useSession } from '#web/lib/session.tsx'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { LinkButton, PlainButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { IconArrowLeft } from '#web/ui/icons.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

const SandboxForm = lazyComponent(() => import('#web/features/payments/sandbox-form.tsx'))
const StripeForm = lazyComponent(() => import('#web/features/payments/stripe-form.tsx'))

/** Renders the card payment of a package. The URL contains its price; the amount charged is set by the server. */
export default function Payment() {
  const { price } = useParams()
  const site = useSite()
  if (site === undefined) {
    return (
      <Screen title={t`Payment`} width="narrow">
        <ListSkeleton rows={3} />
      </Screen>
    )
  }
  return (
    <PaymentOfPrice key={price} price={Number(price)} packages={site.packages} addedTax={site.addedTax} />
  )
}

type OfferProps = { price: number; packages: Package[]; addedTax: AddedTax | null }

function PaymentOfPrice({ price, packages, addedTax }: OfferProps) {
  const [search] = useSearchParams()
  // Kept while the screen is open: a purchase that was begun completes at its price and tax, whatever the operator changes meanwhile.
  const [tax] = useState(addedTax)
  const [coinPackage] = useState(
    () => packageOfReturn(price, search) ?? packages.find((offered) => offered.price === price),
  )
  if (coinPackage === undefined) {
    return (
      <Screen title={t`Payment`} width="narrow">
        <EmptyState
          title={t`No coin package at this price`}
          action={<LinkButton to="/dashboard/purchase-coin">{t`Choose a package`}</LinkButton>}
        >
          {t`Choose one of the coin packages to continue to payment.`}
        </EmptyState>
      </Screen>
    )
  }
  return <PackagePayment coinPackage={coinPackage} addedTax={tax} />
}

/** Returns the package of a payment that comes back from the bank's own page. Its URL holds the coins (stripe-form.tsx). */
function packageOfReturn(price: number, search: URLSearchParams): Package | undefined {
  const coins = Number(search.get('coins'))
  return search.has('payment_intent') && Number.isSafeInteger(coins) && coins > 0
    ? { coins, price }
    : undefined
}

function PackagePayment({ coinPackage, addedTax }: { coinPackage: Package; addedTax: AddedTax | null }) {
  const purchase = usePurchase(coinPackage, addedTax)
  const isReturning = useReturnFromBank(purchase)
  const returnTo = useReturnToTask()
  return (
    <Screen title={t`Payment`} width="narrow">
      <Link
        to="/dashboard/purchase-coin"
        state={returnTo && { returnTo }}
        className="link -mt-4 mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm"
      >
        <IconArrowLeft size={18} aria-hidden /> {t`Back to packages`}
      </Link>
      <div className="grid grid-cols-1 items-start gap-4 @2xl:grid-cols-[minmax(0,1fr)_17rem]">
        <section
          aria-label={t`Card`}
          className="card p-5 has-[.card]:border-0 has-[.card]:p-0 has-[.card]:shadow-none sm:p-6 @max-2xl:order-2"
        >
          <Suspense fallback={<ListSkeleton rows={3} />}>
            <CardForm purchase={purchase} isReturning={isReturning} />
          </Suspense>
        </section>
        <OrderSummary purchase={purchase} isReturning={isReturning} />
      </div>
    </Screen>
  )
}

/** Creates a payment intent and renders the form of the configured card processor. */
function CardForm({ purchase, isReturning }: { purchase: Purchase; isReturning: boolean }) {
  const { total } = purchase
  const { coins, price } = purchase.coinPackage
  const queryClient = useQueryClient()
  const site = useSite()
  const { refetchUser } = useSession()
  const intent = useQuery({
    queryKey: [...queryKeyOf(createPaymentIntent), price],
    queryFn: async () => {
      try {
        return await call(createPaymentIntent, { body: { price, coins, total } })
      } catch (error) {
        // The packages or the tax may have changed.
        void queryClient.invalidateQueries({ queryKey: queryKeyOf(siteEndpoint) })
        throw error
      }
    },
    enabled: !isReturning,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  })

  if (isReturning) {
    return (
      <div>
        <p role="status" className="mb-4">
          {t`Confirming your payment…`}
        </p>
        <ListSkeleton rows={3} />
      </div>
    )
  }
  if (intent.error) {
    const retry = () => {
      void refetchUser()
      void intent.refetch()
    }
    const title = t`Could not start the payment`
    if (intent.error instanceof ApiError && intent.error.code === 'state_conflict') {
      const { fields, message } = intent.error
      // A limit of cards refuses the price; everything else is about an earlier payment.
      if (fields.price !== undefined) return <ErrorState title={title} message={message} />
      return <EarlierPayment message={message} buyAgain={retry} />
    }
    return <ErrorState title={title} message={errorMessage(intent.error)} retry={retry} />
  }
  if (!intent.data || !site) return <ListSkeleton rows={3} />
  const { clientSecret, customerSecret } = intent.data
  const key = site.stripePublishableKey
  return site.card === 'stripe' && key !== null ? (
    <StripeForm
      // Stripe's form keeps the secrets that it was created with, and that of the customer expires.
      key={`${clientSecret} ${customerSecret}`}
      purchase={purchase}
      clientSecret={clientSecret}
      customerSecret={customerSecret}
      publishableKey={key}
    />
  ) : (
    <SandboxForm key={clientSecret} purchase={purchase} clientSecret={clientSecret} />
  )
}

/** Renders what became of the last payment for this package, which has been credited since or is still processed. */
function EarlierPayment({ message, buyAgain }: { message: string; buyAgain: () => void }) {
  return (
    <EmptyState
      title={t`Your last payment`}
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <LinkButton to="/dashboard/paymenthistory">{t`Payment history`}</LinkButton>
          <PlainButton variant="default" onClick={buyAgain}>
            {t`Buy again`}
          </PlainButton>
        </div>
      }
    >
      {message}
    </EmptyState>
  )
}

const onlyReturnTo = (search: URLSearchParams) =>
  withParam(new URLSearchParams(), RETURN_TO, search.get(RETURN_TO) ?? '')

/**
 * Finishes a payment after a redirect from the bank's own page. Returns whether that is in progress. The URL only names
 * the transaction: the server asks the card processor for its state. After a failure the card form is shown again.
 */
function useReturnFromBank({ pay }: Purchase): boolean {
  const [search, setSearch] = useSearchParams()
  const transactionId = search.get('payment_intent')
  const started = useRef(false)
  const isShown = useIsShown()
  useEffect(() => {
    if (transactionId === null || started.current) return
    started.current = true
    void pay(async () => transactionId).then((paid) => {
      // Of a screen that the user has left, this would clear the query of the next one.
      if (!paid && isShown()) setSearch(onlyReturnTo, { replace: true })
    })
  }, [transactionId, pay, setSearch, isShown])
  return transactionId !== null
}
