import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { NewPassword } from '#contract/auth.ts'
import { BUYER_WALLET, STARTING_COINS } from '#contract/product.ts'
import { Email, Name } from '#contract/shapes.ts'
import { registerUser } from '#contract/users.ts'
import { ApiError, call, errorMessage } from '#web/lib/api.ts'
import { signUpLocale } from '#web/lib/browser-locale.ts'
import type { Attempt } from '#web/lib/form.ts'
import { uploadPicture } from '#web/lib/upload-picture.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'

/** The schema of the registration form, with the prescribed messages (docs/specification/identity.md). */
export const ProfileForm = z.object({
  name: Name,
  role: z.enum(['Worker', 'Buyer'], t`User type is required`),
  image: z.custom<File>((value) => value instanceof File, t`Profile image is required`),
})
export type ProfileForm = z.infer<typeof ProfileForm>

export const SignUpForm = z.extend(ProfileForm, { email: Email, password: NewPassword })

/** The URLs of the pictures that were uploaded, so that a retry does not upload them a second time. */
const uploaded = new WeakMap<File, string>()

/** A form that waits for a picture says after some ten seconds without a response that it was not uploaded. */
const FAILURES_MAX = 3

/**
 * Uploads the picture and registers the signed-in identity. When the picture cannot be stored, the account is created without one
 * and a message says so. When the upload gets no response, the user chooses between that and the form: returns whether the identity
 * was registered.
 */
export async function register(
  email: string,
  { name, role, image }: ProfileForm,
  attempt: Attempt,
): Promise<boolean> {
  const { url = '', error } = await tryUpload(image)
  if (isLost(error) && !(await confirmWithoutPicture())) return false
  const wallet = role === 'Buyer' ? BUYER_WALLET : 0
  const body = { name, email, role, image: url, coin: STARTING_COINS[role], wallet, locale: signUpLocale() }
  // A retry sends the first body, which may have another picture.
  const sent = attempt.keepBody(body) as typeof body
  await call(registerUser, { body: sent }, attempt)
  if (sent.image === '' && !isLost(error))
    showImageError(
      [reasonOf(error), t`Your account was created without a picture. Add one on your profile.`].join(' '),
    )
  return true
}

const confirmWithoutPicture = () =>
  confirm({
    title: t`Your picture was not uploaded`,
    text: t`The connection was lost. What you entered is kept: go back to the form to try again, or continue without a picture and add one later on your profile.`,
    cancelLabel: t`Back to the form`,
    confirmLabel: t`Continue without a picture`,
  })

/** Uploads a picture and returns its URL, or null after showing the reason why it could not be used. */
export async function uploadProfilePicture(image: File): Promise<string | null> {
  const { url, error } = await tryUpload(image)
  if (isLost(error))
    void showMessage({
      title: t`Your picture was not uploaded`,
      text: errorMessage(error),
      tone: 'error',
    })
  else if (url === undefined) showImageError(reasonOf(error))
  return url ?? null
}

async function tryUpload(image: File): Promise<{ url?: string; error?: unknown }> {
  try {
    const url = uploaded.get(image) ?? (await uploadPicture(image, FAILURES_MAX)).data.display_url
    if (!url) return {}
    uploaded.set(image, url)
    return { url }
  } catch (error) {
    return { error }
  }
}

const isLost = (error: unknown) => error instanceof ApiError && error.status === 0
const reasonOf = (error: unknown) => (error === undefined ? undefined : errorMessage(error))

function showImageError(text: string | undefined): void {
  void showMessage({ title: t`Please upload a valid image.`, text, tone: 'error' })
}
