/** The text for a user who must verify their email here before they use a sign-in service; a refusal has it too. */
export const EMAIL_UNVERIFIED_HERE =
  'Your email address must be verified here first. Sign up with a password, or reset the password of your account.'

/** The errors of a provider sign-in: the login page's parameter `error`, and the message to show. */
export const OPENID_ERRORS = {
  'sign-in-cancelled': 'Sign-in was cancelled.',
  'sign-in-expired': 'The sign-in took too long or was already used. Please try again.',
  'sign-in-refused': 'The sign-in service did not confirm your identity. Please try again.',
  'service-unavailable':
    'The sign-in service cannot be reached right now. Try again, or use your email and password.',
  'email-not-verified':
    'The sign-in service has not verified your email address. Verify it there, or sign up with a password.',
  'email-unverified-here': EMAIL_UNVERIFIED_HERE,
  'email-taken': 'This email already has an account here. Sign in with your password.',
  'too-many-attempts': 'Too many attempts. Please try again in a few minutes.',
} as const
export type OpenidError = keyof typeof OPENID_ERRORS
