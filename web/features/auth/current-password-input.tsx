import { t } from '@lingui/core/macro'
import '#web/features/auth/auth-card.css'
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import * as z from 'zod/mini'

/** The schema of a password that is compared with the user's, without the rules of a new one. */
export const CurrentPassword = z.string().check(z.minLength(1, t`Password is required`))

/** Renders an input for the user's password, which browsers and password managers fill in. */
export function CurrentPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      label={t`Password`}
      autoComplete="current-password"
      required
      visibilityToggleButtonProps={{ 'aria-label': t`Show password` }}
      {...props}
    />
  )
}
