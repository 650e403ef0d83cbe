import { Refusal } from '#server/http/refusal.ts'
import { emailKey } from './email-key.ts'

/** The form in which addresses are compared. @throws Refusal `invalid_fields` for what is no address. */
export function emailKeyInUse(email: string): string {
  const key = emailKey(email)
  if (key === undefined) {
    throw new Refusal('invalid_fields', 'Invalid email format', { email: 'Invalid email format' })
  }
  return key
}

export function emailTaken(): Refusal {
  const message = 'Somebody already signed up with this email.'
  return new Refusal('email_taken', message, { email: message })
}
