const DOTS = '•••'

/** Masks an email for public lists and task details: n•••@example.com. */
export function maskEmail(email: string): string {
  const [first = ''] = email
  return `${first}${DOTS}${email.slice(email.lastIndexOf('@'))}`
}

/** Returns whether a client sends a masked email back. */
export function isMasked(email: string): boolean {
  return email.includes(`${DOTS}@`)
}
