import { PasswordInput } from '@mantine/core'
import type { ComponentProps } from 'react'

/** Renders an input for a new password, with the password rules as its description. */
export function NewPasswordInput(props: ComponentProps<typeof PasswordInput>) {
  return (
    <PasswordInput
      label="Password"
      description="At least 6 characters, with an uppercase letter, a lowercase letter and a special character"
      autoComplete="new-password"
      required
      visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
      {...props}
    />
  )
}
