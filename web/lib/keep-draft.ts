import { t } from '@lingui/core/macro'
import { ApiError } from '#web/lib/api.ts'

/**
 * Returns the response to what a form sends whose values are kept as a draft. Throws a lost connection with a message that says so:
 * unlike the work and the appeals of workers, the draft is not sent later (docs/decisions/0075-unsent-work.md).
 */
export async function orDraftIsKept<T>(sent: Promise<T>): Promise<T> {
  try {
    return await sent
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 0) throw error
    throw new ApiError(
      error.status,
      error.code,
      t`No connection. What you entered is kept on this device, but may not have been sent. Submit it again when you are online.`,
    )
  }
}
