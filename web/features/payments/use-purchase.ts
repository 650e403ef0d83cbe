import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { createPaymentIntent, paymentHistory, paymentSuccess } from '#contract/payments.ts'
import type { Package } from '#contract/product.ts'
import { savedCards } from '#contract/saved-cards.ts'
import { type AddedTax, taxCentsOf } from '#contract/tax.ts'
import type { User } from '#contract/users.ts'
import { isCardError, paymentErrorMessage } from '#web/features/payments/payment-errors.ts'
import { useReturnToTask } from '#web/features/payments/return-to-task.ts'
import { ApiError, call, type Reply } from '#web/lib/api.ts'
import { formatCoins } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useSession, useUserData } from '#web/lib/session.tsx'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

const CONFIRMATION_TIMEOUT_MS = 20_000
const POLL_MS = 1_500
const NEXT_STEPS = { confirmLabel: t`Back to your task`, cancelLabel: t`Home page` }

/** The server's record of a credited purchase: the balance and the debt now, and the coins that repaid a debt. */
type Credit = Reply<typeof paymentSuccess>

export type Purchase = {
  coinPackage: Package
  /** The tax that is added to the price, in dollars, and what the buyer pays. */
  tax: (AddedTax & { amount: number }) | null
  total: number
  /** The buyer's record before this purchase. Coins that are credited while it is being paid do not change it. */
  buyer: Pick<User, 'coin' | 'debt'>
  credit: Credit | null
  /** The message of the last failure; null while another attempt is made. */
  error: string | null
  /**
   * Charges the card with `charge`, which returns the transaction, and waits until the server has credited the coins.
   * When that takes too long, a message asks not to pay again: the server credits the payment later
   * (docs/specification/payments.md). Returns false when the payment failed.
   */
  pay: (charge: () => Promise<string>) => Promise<boolean>
}

/** Returns the purchase of a package on this screen, with the tax that is added to its price. */
export function usePurchase(coinPackage: Package, addedTax: AddedTax | null): Purchase {
  const user = useUserData()
  const { refetchUser } = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()
  const returnTo = useReturnToTask()
  const [before, setBefore] = useState<User | null>(null)
  const [credit, setCredit] = useState<Credit | null>(null)
  const [error, setError] = useState<string | null>(null)

  const finish = async (transactionId: string) => {
    const body = { ...coinPackage, email: user.email, transactionId, date: new Date().toISOString() }
    const credited = await waitForCredit(body)
    setCredit(credited)
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(paymentHistory) })
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(savedCards) })
    await refetchUser()
    const message =
      credited === null
        ? {
            title: t`Your payment is being processed`,
            text: processingText(coinPackage, user.debt),
          }
        : { title: t`Payment Successful! Coins Added.`, text: successText(coinPackage, credited) }
    if (!isShown()) return void toast({ title: message.title, message: message.text })
    if (returnTo === undefined) await showMessage(message)
    const continues = returnTo !== undefined && (await confirm({ ...message, ...NEXT_STEPS }))
    // Going back to a payment that a bank sent back would announce it a second time.
    if (isShown()) await navigate(continues ? returnTo : '/', { replace: true })
  }

  const pay = async (charge: () => Promise<string>) => {
    setBefore(user)
    setError(null)
    try {
      await finish(await charge())
      return true
    } catch (failure) {
      setBefore(null)
      setError(paymentErrorMessage(failure))
      // After a declined card the intent can be paid with another one. Otherwise it may be cancelled or paid.
      if (!isCardError(failure))
        void queryClient.invalidateQueries({ queryKey: queryKeyOf(createPaymentIntent) })
      return false
    }
  }

  const priceCents = Math.round(coinPackage.price * 100)
  const taxCents = addedTax === null ? 0 : taxCentsOf(addedTax, priceCents)
  const tax = addedTax === null || taxCents === 0 ? null : { ...addedTax, amount: taxCents / 100 }
  return { coinPackage, tax, total: (priceCents + taxCents) / 100, buyer: before ?? user, credit, error, pay }
}

/** Returns what a buyer is shown while the payment takes longer. A debt takes its coins first. */
export function processingText({ coins }: Package, debt: number): string {
  const bought = formatCoins(coins)
  return debt === 0
    ? t`Your ${{ coins: bought }} will be added as soon as the card processor confirms the payment. You do not need to pay again, and you can close this page.`
    : t`Your ${{ coins: bought }} will be added as soon as the card processor confirms the payment, and repay what you owe (${{ debt: formatCoins(debt) }}) first. You do not need to pay again, and you can close this page.`
}

function successText({ coins }: Package, { coin, repaid, debt }: Credit): string {
  const bought = formatCoins(coins)
  const sentences = [
    repaid === 0
      ? t`You bought ${bought}.`
      : t`You bought ${bought}, of which ${{ repaid: formatCoins(repaid) }} repaid what you owed.`,
    t`Your balance is ${{ coins: formatCoins(coin) }}.`,
    ...(debt === 0 ? [] : [t`You still owe ${{ coins: formatCoins(debt) }}.`]),
    t`The receipt is in your payment history.`,
  ]
  return sentences.join(' ')
}

/** Polls until the coins are credited. Returns null after the timeout. */
async function waitForCredit(
  body: Parameters<typeof call<typeof paymentSuccess>>[1]['body'],
): Promise<Credit | null> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), CONFIRMATION_TIMEOUT_MS)
  try {
    while (!timeout.signal.aborted) {
      try {
        const reply = await call(paymentSuccess, { body }, { signal: timeout.signal })
        if (reply.status === 'credited') return reply
      } catch (error) {
        if (!isRetryableConfirmation(error)) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    return null
  } finally {
    clearTimeout(timer)
  }
}

/** No response, or an error of the server: a confirmation credits once, and polling ends with the timeout. */
const isRetryableConfirmation = (error: unknown) =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500
