import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { NewPassword } from '#contract/auth.ts'
import { BUYER_WALLET, STARTING_COINS } from '#contract/product.ts'
import { Email, Name } from '#contract/shapes.ts'
import { registerUser } from '#contract/users.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { signUpLocale } from '#web/lib/browser-locale.ts'
import type { Attempt } from '#web/lib/form.ts'
import { uploadPicture } from '#web/lib/upload-picture.ts'
import { showMessage } from '#web/ui/dialogs.tsx'

/** The schema of the registration form, with the prescribed messages (docs/specification/identity.md). */
export const ProfileForm = z.object({
  name: Name,
  role: z.enum(['Worker', 'Buyer'], t`User type is required`),
  image: z.custom<File>((value) => value instanceof File, t`Profile image is required`),
})
export type ProfileForm = z.infer<typeof ProfileForm>

export const SignUpForm = z.extend(ProfileForm, { email: Email, password: NewPassword })

/**
 * Uploads the picture and registers the signed-in identity. When the upload fails, the account is created without a picture
 * and a message says so.
 */
export async function register(
  email: string,
  { name, role, image }: ProfileForm,
  attempt: Attempt,
): Promise<void> {
  const { url, reason } = await tryUpload(image)
  const wallet = role === 'Buyer' ? BUYER_WALLET : 0
  const body = {
    name,
    email,
    role,
    image: url ?? '',
    coin: STARTING_COINS[role],
    wallet,
    locale: signUpLocale(),
  }
  await call(registerUser, { body }, attempt)
  if (url === undefined)
    showImageError(
      [reason, t`Your account was created without a picture. Add one on your profile.`].join(' '),
    )
}

/** Uploads a picture and returns its URL, or null after showing the reason why it could not be used. */
export async function uploadProfilePicture(image: File): Promise<string | null> {
  const { url, reason } = await tryUpload(image)
  if (url === undefined) showImageError(reason)
  return url ?? null
}

async function tryUpload(image: File): Promise<{ url?: string; reason?: string }> {
  try {
    const { data } = await uploadPicture(image)
    return data.display_url ? { url: data.display_url } : {}
  } catch (error) {
    return { reason: errorMessage(error) }
  }
}

function showImageError(text: string | undefined): void {
  void showMessage({ title: t`Please upload a valid image.`, text, tone: 'error' })
}
