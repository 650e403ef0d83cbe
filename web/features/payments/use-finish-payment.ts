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
 * After the card processor took the money: tells the server, which asks the processor itself and adds the coins. When
 * it cannot be reached the money is safe all the same, the server finds it later, and the person must not pay again.
 */
export function useFinishPayment(offer: Package): (transactionId: string) => Promise<void> {
  const user = useUserData()
  const { refetchUser } = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()

  return async (transactionId) => {
    const body = { ...offer, email: user.email, transactionId, date: new Date().toISOString() }
    const credited = await waitForCredit(body)
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(paymentHistory) })
    await refetchUser()
    if (credited) {
      await showMessage({
        title: 'Payment Successful! Coins Added.',
        text: `${formatCoins(offer.coins)} are in your balance. The receipt is in your payment history.`,
      })
    } else {
      await showMessage({
        title: 'Your payment is being processed',
        text: `Your ${formatCoins(offer.coins)} come as soon as the card processor confirms it. You do not need to pay again, and you can close this page.`,
      })
    }
    await navigate('/')
  }
}

/** Whether the coins are there; false while the processor is not done, or nobody answers for as long as one waits. */
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
