import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { paymentHistory, paymentSuccess } from '#contract/payments.ts'
import type { Package } from '#contract/product.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { formatCoins } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useSession, useUserData } from '#web/lib/session.tsx'
import { showMessage } from '#web/ui/dialogs.tsx'

const CONFIRMATION_TIMEOUT_MS = 20_000
const POLL_MS = 1_500

/**
 * Returns a function to call after the card processor charged the card. It notifies the server, which confirms the
 * payment with the processor and credits the coins. When that takes too long, a message asks not to pay again: the
 * server credits the payment later (docs/specification/payments.md).
 */
export function useFinishPayment(coinPackage: Package): (transactionId: string) => Promise<void> {
  const user = useUserData()
  const { refetchUser } = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()

  return async (transactionId) => {
    const body = { ...coinPackage, email: user.email, transactionId, date: new Date().toISOString() }
    const credited = await waitForCredit(body)
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(paymentHistory) })
    await refetchUser()
    if (credited) {
      await showMessage({
        title: 'Payment Successful! Coins Added.',
        text: `${formatCoins(coinPackage.coins)} have been added to your balance. The receipt is in your payment history.`,
      })
    } else {
      await showMessage({
        title: 'Your payment is being processed',
        text: `Your ${formatCoins(coinPackage.coins)} will be added as soon as the card processor confirms the payment. You do not need to pay again, and you can close this page.`,
      })
    }
    await navigate('/')
  }
}

/** Polls until the coins are credited. Returns false after the timeout. */
async function waitForCredit(
  body: Parameters<typeof call<typeof paymentSuccess>>[1]['body'],
): Promise<boolean> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), CONFIRMATION_TIMEOUT_MS)
  try {
    while (!timeout.signal.aborted) {
      try {
        const { status } = await call(paymentSuccess, { body }, { signal: timeout.signal })
        if (status === 'credited') return true
      } catch (error) {
        const isRetryable = !(error instanceof ApiError) || error.status === 0 || error.status >= 500
        if (!isRetryable) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    return false
  } finally {
    clearTimeout(timer)
  }
}
