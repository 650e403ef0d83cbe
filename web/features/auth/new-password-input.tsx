import { PasswordInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import { PASSWORD_MIN } from '#contract/product.ts'

/** The password rules (docs/specification/identity.md#input-rules) for the browser, until the scripts run. */
const PATTERN = `(?=.*\\p{Lu})(?=.*\\p{Ll})(?=.*[^\\p{L}\\p{N}\\s]).{${PASSWORD_MIN},}`

/** Renders an input for a new password, with the password rules as its description. */
export function NewPasswordInput(props: ComponentProps<typeof PasswordInput>) {
  return (
    <PasswordInput
      label="Password"
      description="At least 6 characters, with an uppercase letter, a lowercase letter and a special character"
      autoComplete="new-password"
      pattern={PATTERN}
      required
      visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
      {...props}
    />
  )
}
