import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PAYMENT_SYSTEMS } from './product.ts'
import { Email, Id, Paging, Role, Time } from './shapes.ts'

type Kind = { result: 'success' | 'failure'; params: z.ZodMiniObject }

const none = z.strictObject({})
const Provider = z.strictObject({ provider: z.string() })
const Factor = z.enum(['passkey', 'totp', 'recovery_code'])
const StepUpMethod = z.enum(['password', 'passkey', 'totp', 'recovery_code', 'provider'])

/**
 * Every kind of event in the security log (docs/decisions/0027-security-log.md). The database stores an event's kind and
 * parameters; contract/security-log-texts.en.ts has the sentences.
 */
export const SECURITY_EVENT_KINDS = {
  signed_up: {
    result: 'success',
    params: z.strictObject({ method: z.enum(['password', 'provider', 'setup_link']) }),
  },
  signed_in: {
    result: 'success',
    params: z.strictObject({
      method: z.enum(['password', 'provider', 'external_token', 'passkey', 'sign_up', 'demo']),
      secondFactor: z.optional(Factor),
    }),
  },
  /** Follows `signed_in` when no earlier session of the identity had this device and network. */
  new_device: { result: 'success', params: none },
  sign_in_failed: {
    result: 'failure',
    params: z.strictObject({
      reason: z.enum([
        'wrong_password',
        'unknown_email',
        'deleted_user',
        'email_not_verified',
        'provider',
        'second_factor',
        'passkey',
      ]),
    }),
  },
  signed_out: { result: 'success', params: none },
  session_ended: { result: 'success', params: z.strictObject({ device: z.string() }) },
  all_sessions_ended: { result: 'success', params: none },
  password_changed: { result: 'success', params: z.strictObject({ method: z.enum(['password', 'link']) }) },
  password_removed: { result: 'success', params: Provider },
  password_reset_requested: { result: 'success', params: none },
  password_check_failed: { result: 'failure', params: none },
  email_verified: { result: 'success', params: none },
  email_change_requested: { result: 'success', params: none },
  email_changed: { result: 'success', params: none },
  provider_linked: { result: 'success', params: Provider },
  factor_added: { result: 'success', params: z.strictObject({ factor: z.enum(['passkey', 'totp']) }) },
  factor_removed: { result: 'success', params: z.strictObject({ factor: z.enum(['passkey', 'totp']) }) },
  recovery_codes_created: { result: 'success', params: none },
  stepped_up: { result: 'success', params: z.strictObject({ method: StepUpMethod }) },
  /** A wrong password is `password_check_failed`. */
  step_up_failed: { result: 'failure', params: z.strictObject({ method: Factor }) },
  name_changed: { result: 'success', params: z.strictObject({ from: z.string(), to: z.string() }) },
  role_changed: { result: 'success', params: z.strictObject({ role: Role }) },
  reviewer_changed: { result: 'success', params: z.strictObject({ reviewer: z.boolean() }) },
  /** The account number is left out. */
  payout_destination_changed: {
    result: 'success',
    params: z.strictObject({
      change: z.enum(['added', 'changed', 'removed']),
      system: z.enum(PAYMENT_SYSTEMS),
    }),
  },
  api_key_created: {
    result: 'success',
    params: z.strictObject({ name: z.string(), scopes: z.string() }),
  },
  api_key_revoked: { result: 'success', params: z.strictObject({ name: z.string() }) },
  api_key_refused: {
    result: 'failure',
    params: z.strictObject({ name: z.string(), reason: z.enum(['expired', 'network']) }),
  },
  webhook_changed: {
    result: 'success',
    params: z.strictObject({
      name: z.string(),
      change: z.enum(['created', 'changed', 'deleted', 'secret_rotated']),
    }),
  },
  /** `path` is the path of the endpoint, `code` the error code of the refusal. */
  access_refused: {
    result: 'failure',
    params: z.strictObject({ method: z.string(), path: z.string(), code: z.string() }),
  },
  data_exported: {
    result: 'success',
    params: z.strictObject({
      data: z.enum([
        'account',
        'statement',
        'security_log',
        'users',
        'audit_log',
        'payments',
        'payouts',
        'withdrawals',
        'card_transactions',
        'payout_file',
        'batch_answers',
        'receipt',
      ]),
    }),
  },
} as const satisfies Record<string, Kind>

type Kinds = typeof SECURITY_EVENT_KINDS
export type SecurityEventKind = keyof Kinds
export type SecurityEventParams<Of extends SecurityEventKind> = z.infer<Kinds[Of]['params']>

const KINDS = Object.keys(SECURITY_EVENT_KINDS) as SecurityEventKind[]

/** An event of the user's own account. `network` and `device` are empty where they are unknown or an Admin's. */
export const AccountEvent = z.object({
  _id: z.string(),
  time: Time,
  kind: z.string(),
  text: z.string(),
  result: z.enum(['success', 'failure']),
  network: z.string(),
  device: z.string(),
})
export type AccountEvent = z.infer<typeof AccountEvent>

/**
 * An event as Admins see it and as it is exported. `emailHash` stands for the email where no identity has it: a hash
 * keyed with the server's secret, in hex.
 */
export const SecurityEvent = z.extend(AccountEvent, {
  identity: z.nullable(Id),
  email: z.nullable(z.string()),
  actor: z.nullable(Id),
  actorEmail: z.nullable(z.string()),
  emailHash: z.nullable(z.string()),
  params: z.record(z.string(), z.unknown()),
})
export type SecurityEvent = z.infer<typeof SecurityEvent>

export const accountActivity = endpoint({
  method: 'GET',
  path: '/account-activity',
  summary: "Security events of the caller's account, newest first",
  access: { who: 'session' },
  query: Paging,
  reply: z.array(AccountEvent),
})

export const securityLog = endpoint({
  method: 'GET',
  path: '/security-log',
  summary: 'The security log, newest first: an append-only list of sign-ins, changes of access and refusals',
  access: { who: ['Admin'] },
  query: z.extend(Paging, { kind: z.optional(z.enum(KINDS)), email: z.optional(Email) }),
  reply: z.array(SecurityEvent),
})

/** Each line of the response is a `SecurityEvent` as JSON. */
export const securityLogFile = endpoint({
  method: 'GET',
  path: '/security-log/export',
  summary: 'The whole security log as JSON lines, oldest first',
  access: { who: ['Admin'], fresh: true },
  reply: z.unknown(),
})
