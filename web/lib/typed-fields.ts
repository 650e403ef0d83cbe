/**
 * Returns what is typed into the named fields of a form. Secrets are left out, because what is returned is stored: passwords
 * and one-time codes.
 */
export function typedFields(form: HTMLFormElement): Record<string, string> {
  const inputs = [...form.elements] as HTMLInputElement[]
  const typed = inputs.filter(
    (input) =>
      input.name !== '' &&
      input.value !== '' &&
      input.type !== 'file' &&
      !isSecret(input) &&
      (input.checked || (input.type !== 'radio' && input.type !== 'checkbox')),
  )
  return Object.fromEntries(typed.map(({ name, value }) => [name, value]))
}

/** Returns whether a field is for a password, also while it is shown, or for a one-time code. */
export function isSecret({ type, autocomplete }: HTMLInputElement): boolean {
  return type === 'password' || /password|one-time-code/.test(autocomplete)
}
