import { PAYMENT_SYSTEM_NAMES } from './amounts.en.ts'
import type { SecurityEventKind, SecurityEventParams } from './security-log.ts'

const FACTORS = {
  passkey: 'a passkey',
  totp: 'an authenticator app',
  recovery_code: 'a recovery code',
} as const
const METHODS = { ...FACTORS, password: 'the password', provider: 'a sign-in service' } as const

/** The sentence of each kind of security event. `byAdmin`: an Admin did it to the account of another user. */
export const SECURITY_EVENT_TEXTS: {
  [Of in SecurityEventKind]: (params: SecurityEventParams<Of>, byAdmin: boolean) => string
} = {
  signed_up: ({ method }) =>
    ({
      password: 'Account created',
      provider: 'Account created with a sign-in service',
      setup_link: 'Account created with the setup link of the first Admin',
    })[method],
  signed_in: ({ method, secondFactor }) => {
    const text = {
      password: 'Signed in with a password',
      provider: 'Signed in with a sign-in service',
      external_token: 'Signed in with a token of a sign-in service',
      passkey: 'Signed in with a passkey',
      sign_up: 'Signed in after creating the account',
      demo: 'Signed in as a demo user',
    }[method]
    return secondFactor === undefined ? text : `${text} and ${FACTORS[secondFactor]}`
  },
  new_device: () => 'First sign-in from this device and network',
  sign_in_failed: ({ reason }) =>
    ({
      wrong_password: 'Sign-in failed: wrong password',
      unknown_email: 'Sign-in failed: no account has this email',
      deleted_user: 'Sign-in failed: the user was deleted',
      email_not_verified: 'Sign-in failed: the email is not verified',
      provider: 'Sign-in failed: the response of the sign-in service was not accepted',
      second_factor: 'Sign-in failed: wrong second factor',
      passkey: 'Sign-in failed: the passkey was not accepted',
    })[reason],
  signed_out: () => 'Signed out',
  session_ended: ({ device }, byAdmin) => `${byAdmin ? 'An Admin signed' : 'Signed'} out ${device}`,
  all_sessions_ended: (_, byAdmin) =>
    byAdmin ? 'An Admin signed out all devices' : 'Signed out on all devices',
  password_changed: ({ method }) =>
    method === 'link' ? 'Password changed with a link sent by email' : 'Password changed',
  password_removed: ({ provider }) =>
    `Password and sessions removed when ${provider} confirmed an email that was not verified here`,
  password_reset_requested: () => 'Password reset link requested',
  password_check_failed: () => 'Wrong current password entered',
  email_verified: () => 'Email verified',
  email_change_requested: () => 'Email change requested',
  email_changed: () => 'Email changed',
  provider_linked: ({ provider }) => `Sign-in with ${provider} added`,
  factor_added: ({ factor }) => `Second factor added: ${FACTORS[factor]}`,
  factor_removed: ({ factor }, byAdmin) =>
    `${byAdmin ? 'Second factor removed by an Admin' : 'Second factor removed'}: ${FACTORS[factor]}`,
  recovery_codes_created: () => 'Recovery codes created',
  stepped_up: ({ method }) => `Identity confirmed with ${METHODS[method]}`,
  step_up_failed: ({ method }) => `Identity not confirmed with ${METHODS[method]}`,
  name_changed: ({ from, to }) => `Name changed from ${from} to ${to}`,
  role_changed: ({ role }, byAdmin) => `${byAdmin ? 'An Admin changed the role' : 'Role changed'} to ${role}`,
  reviewer_changed: ({ reviewer }) => `Reviewer permission ${reviewer ? 'given' : 'removed'}`,
  payout_destination_changed: ({ change, system }) =>
    `Payout destination ${change}: ${PAYMENT_SYSTEM_NAMES[system]}`,
  api_key_created: ({ name, scopes }) => `API key ${name} created with the scopes: ${scopes}`,
  api_key_revoked: ({ name }) => `API key ${name} revoked`,
  api_key_refused: ({ name, reason }) =>
    `API key ${name} refused: ${reason === 'expired' ? 'it has expired' : 'its network is not allowed'}`,
  webhook_changed: ({ name, change }) =>
    ({
      created: `Webhook endpoint ${name} created`,
      changed: `Webhook endpoint ${name} changed`,
      deleted: `Webhook endpoint ${name} deleted`,
      secret_rotated: `Secret of the webhook endpoint ${name} replaced`,
    })[change],
  access_refused: ({ method, path, code }) => `Access refused: ${method} ${path} (${code})`,
  data_exported: ({ data }) =>
    ({
      account: 'Account data downloaded',
      statement: 'Coin statement downloaded',
      security_log: 'Security log downloaded',
      users: 'User table downloaded',
      audit_log: 'Audit log downloaded',
      payments: 'Payment table downloaded',
      payouts: 'Payout table downloaded',
      withdrawals: 'Withdrawal request table downloaded',
      card_transactions: 'Card transactions downloaded',
      payout_file: 'Payout file downloaded',
      batch_answers: 'Answers of a batch downloaded',
      receipt: 'Receipt downloaded',
    })[data],
}

/** The name of each kind of security event, for filters. */
export const SECURITY_EVENT_NAMES: Record<SecurityEventKind, string> = {
  signed_up: 'Account created',
  signed_in: 'Sign-in',
  new_device: 'New device',
  sign_in_failed: 'Failed sign-in',
  signed_out: 'Sign-out',
  session_ended: 'Session ended',
  all_sessions_ended: 'All sessions ended',
  password_changed: 'Password changed',
  password_removed: 'Password removed',
  password_reset_requested: 'Password reset requested',
  password_check_failed: 'Wrong current password',
  email_verified: 'Email verified',
  email_change_requested: 'Email change requested',
  email_changed: 'Email changed',
  provider_linked: 'Sign-in service added',
  factor_added: 'Second factor added',
  factor_removed: 'Second factor removed',
  recovery_codes_created: 'Recovery codes created',
  stepped_up: 'Identity confirmed',
  step_up_failed: 'Identity not confirmed',
  name_changed: 'Name changed',
  role_changed: 'Role changed',
  reviewer_changed: 'Reviewer permission changed',
  payout_destination_changed: 'Payout destination changed',
  api_key_created: 'API key created',
  api_key_revoked: 'API key revoked',
  api_key_refused: 'API key refused',
  webhook_changed: 'Webhook endpoint changed',
  access_refused: 'Access refused',
  data_exported: 'Data exported',
}
