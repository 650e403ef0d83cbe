/**
 * What a form says that was posted before its page's scripts ran, by the fragment of the redirect: an error code
 * (contract/errors.ts), or `invalid_fields` with the field.
 */
export const FORM_ERRORS = {
  wrong_credentials: 'Email or password is wrong.',
  second_factor_required: 'Confirm that it is you with your second step.',
  email_not_verified: 'Verify your email address first: follow the link that we sent you.',
  email_taken: 'An account with this email already exists.',
  invalid_fields: 'Some fields are missing or not valid.',
  'invalid_fields.email': 'Invalid email format',
  'invalid_fields.password':
    'Choose a stronger password: at least 6 characters, with an uppercase letter, a lowercase letter and a special character.',
  too_many_requests: 'Too many attempts. Please try again in a few minutes.',
  unavailable: 'The service is busy or restarting. Nothing was changed; please try again in a moment.',
  internal: 'Something went wrong!',
} as const

export type FormErrorCode = keyof typeof FORM_ERRORS
