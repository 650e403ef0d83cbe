import { t } from '@lingui/core/macro'
import { TextInput, type TextInputProps } from '@mantine/core'
import { useFocusOnMount } from '#web/lib/focus-on-mount.ts'

/** Renders the focused field for a code of an authenticator app or a recovery code, which may contain letters. */
export function CodeField(field: TextInputProps) {
  const input = useFocusOnMount()
  return (
    <TextInput
      label={t`Code`}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      ref={input}
      {...field}
    />
  )
}
