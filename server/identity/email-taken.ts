import { emailKey } from '#server/email-key.ts'
import { Refusal } from '#server/http/refusal.ts'

/** Returns the form in which emails are compared. @throws Refusal `invalid_fields` for an invalid email. */
export function requireEmailKey(email: string): string {
  const key = emailKey(email)
  if (key === undefined) throw new Refusal('invalid_fields.email', { field: 'email' })
  return key
}

export function emailTaken(): Refusal {
  return new Refusal('email_taken', { field: 'email' })
}
