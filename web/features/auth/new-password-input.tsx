import { t } from '@lingui/core/macro'
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { ADMIN_PASSWORD_MIN, PASSWORD_MIN } from '#contract/product.ts'
import { formatNumber } from '#web/lib/format.ts'

/** Renders an input for a new password, with the password rules (docs/specification/identity.md#input-rules) as its description. */
export function NewPasswordInput({ admin = false, ...props }: PasswordInputProps & { admin?: boolean }) {
  const lengthMin = admin ? ADMIN_PASSWORD_MIN : PASSWORD_MIN
  return (
    <PasswordInput
      label={t`Password`}
      description={t`At least ${{ count: formatNumber(lengthMin) }} characters, with an uppercase letter, a lowercase letter and a special character`}
      autoComplete="new-password"
      // The rules for the browser, until the scripts run.
      pattern={`(?=.*\\p{Lu})(?=.*\\p{Ll})(?=.*[^\\p{L}\\p{N}\\s]).{${lengthMin},}`}
      required
      visibilityToggleButtonProps={{ 'aria-label': t`Show password` }}
      {...props}
    />
  )
}
