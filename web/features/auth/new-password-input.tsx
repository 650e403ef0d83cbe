import { PasswordInput } from '@mantine/core'
import type { ComponentProps } from 'react'

/** Where a person chooses a password: says the rules before they are broken. */
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
