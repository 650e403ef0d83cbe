import { join, resolve } from 'node:path'
import * as z from 'zod'
import { PAYOUT_PROVIDERS } from '#contract/payouts.ts'
import { BadConfig } from './bad-config.ts'
import { cardSettings } from './card-settings.ts'
import { isAddressRange } from './http/address-ranges.ts'
import { isLocalHost } from './local-host.ts'
import { replicaSettings } from './replica-settings.ts'
import { weaknessOf } from './weak-secret.ts'

const flag = z.enum(['0', '1']).transform((value) => value === '1')
const zone = z.string().refine(isTimeZone, 'is not the name of a time zone, like Asia/Dhaka')

const addressRange = z
  .string()
  .refine(
    isAddressRange,
    'is not an IP address, a range in CIDR notation like 10.0.0.0/8, loopback, linklocal or uniquelocal',
  )

/** A list with commas, without empty entries. */
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

/** Every environment variable, once. The table in README.md lists the same (tests/environment.test.ts). */
const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  WAL_ARCHIVE: z.string().min(1).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_MIGRATION_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(8),
  DATABASE_PREPARE: flag.default(true),
  REPLICA_URL: list.pipe(z.array(z.url({ protocol: /^postgres(ql)?$/ }))),
  DRAIN_SECONDS: z.coerce.number().min(0).max(60).optional(),
  DEMO: flag.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  NAME: z.string().trim().min(1).max(40).default('Tallywork'),
  TIME_ZONE: zone.default('Asia/Dhaka'),
  REVIEW_DAYS: z.coerce.number().min(0.001).max(365).default(7),
  APPEAL_DAYS: z.coerce.number().min(0).max(90).default(7),
  MASS_REJECTION_PERCENT: z.coerce.number().int().min(1).max(100).default(30),
  MASS_REJECTION_DECISIONS: z.coerce.number().int().min(10).max(1000).default(50),
  TASK_FEE_PERCENT: z.coerce.number().min(0).max(50).default(0),
  RESERVATIONS_MAX: z.coerce.number().int().min(1).max(100).default(5),
  HOLDING_DAYS: z.coerce.number().min(0).max(365).default(0),
  PUBLIC_EMAILS: z.enum(['shown', 'masked']).default('shown'),
  TRUST_PROXY: list.pipe(z.array(addressRange)),
  WRITE_LIMIT_FACTOR: z.coerce.number().min(0.01).max(1_000_000).optional(),
  AUTH_SECRET: z.string().min(32).optional(),
  ADMIN_SECOND_FACTOR: z.enum(['required', 'offered']).optional(),
  METRICS_TOKEN: z.string().min(16).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  CARD_PROVIDER: z.enum(['sandbox', 'stripe']).optional(),
  ALLOW_SANDBOX: flag.default(false),
  PAYOUT_PROVIDER: z.enum(['none', ...PAYOUT_PROVIDERS]).default('none'),
  STRIPE_SECRET_KEY: z.string().trim().optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().trim().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().trim().optional(),
  STRIPE_STATEMENT_SUFFIX: z.string().trim().optional(),
  STRIPE_API_HOST: z.url({ protocol: /^https?$/ }).optional(),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_LABEL: z.string().trim().min(1).max(40).default('your organisation'),
  VERIFY_FOR: z
    .string()
    .transform((list) => list.split(',').map((word) => word.trim()))
    .pipe(z.array(z.enum(['nothing', 'sign-in', 'post', 'withdraw'])))
    .refine((words) => words.length === 1 || !words.includes('nothing'), 'lists nothing together with others')
    .optional(),
  MAIL: z.enum(['smtp', 'folder']).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.email().optional(),
  EMAILS_PER_SECOND: z.coerce.number().min(0.5).max(10_000).default(10),
  IMAGES_BUCKET_URL: z.url({ protocol: /^https?$/ }).optional(),
  IMAGES_BUCKET_REGION: z.string().min(1).default('us-east-1'),
  IMAGES_BUCKET_KEY_ID: z.string().min(1).optional(),
  IMAGES_BUCKET_SECRET: z.string().min(1).optional(),
  IMAGES_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  IMAGES_HOST_URL: z.url({ protocol: /^https?$/ }).optional(),
  IMAGES_HOST_KEY: z.string().min(1).optional(),
})

type Settings = z.output<typeof Environment>

export type Config = ReturnType<typeof readConfig>

/**
 * Reads the environment; nothing else does. A public origin means production, whatever NODE_ENV says. The demo, the page
 * of development mail and metrics without a token exist only where no other machine can connect; the demo also with
 * DEMO=1.
 * @throws BadConfig that names the variable and says what is wrong.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const parsed = Environment.safeParse(withoutEmpty(env))
  if (!parsed.success) {
    const reasons = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new BadConfig(`Invalid settings:\n${reasons.join('\n')}`)
  }
  const value = parsed.data
  const origin = value.PUBLIC_URL === undefined ? undefined : new URL(value.PUBLIC_URL)
  const isPublic = origin !== undefined && !isLocalHost(origin.hostname)
  const production = value.NODE_ENV === 'production' || isPublic
  const isDevelopment = !production && isLocalHost(value.HOST)
  const dataDir = resolve(value.DATA_DIR)
  if (isPublic && origin.protocol === 'http:') {
    throw new BadConfig('PUBLIC_URL is http: passwords need https, except on localhost')
  }
  if (production && value.AUTH_SECRET === undefined) {
    throw new BadConfig('AUTH_SECRET is missing: in production set it to 32 or more random characters')
  }
  const weakness = production && value.AUTH_SECRET !== undefined ? weaknessOf(value.AUTH_SECRET) : undefined
  if (weakness !== undefined) {
    throw new BadConfig(`AUTH_SECRET ${weakness}: set it to the output of "openssl rand -base64 32"`)
  }
  if (production && origin === undefined) {
    throw new BadConfig(
      'PUBLIC_URL is missing: in production set it to the public origin, like https://work.example.com',
    )
  }
  if (value.DATABASE_MIGRATION_URL !== undefined && value.DATABASE_URL === undefined) {
    throw new BadConfig(
      'DATABASE_URL is missing: DATABASE_MIGRATION_URL is set, and the server needs a role of its own',
    )
  }
  if (value.WAL_ARCHIVE !== undefined && value.DATABASE_URL !== undefined) {
    throw new BadConfig(
      'WAL_ARCHIVE archives the embedded database, but DATABASE_URL is set: set archive_command in your PostgreSQL instead',
    )
  }
  if (production && value.PAYOUT_PROVIDER === 'sandbox' && !value.ALLOW_SANDBOX) {
    throw new BadConfig(
      'PAYOUT_PROVIDER is sandbox, which moves no money: production requires ALLOW_SANDBOX=1 for it',
    )
  }
  return {
    production,
    isDevelopment,
    port: value.PORT,
    host: value.HOST,
    publicUrl: origin?.origin ?? `http://localhost:${value.PORT}`,
    dataDir,
    /** The folder that the embedded database archives its WAL to. */
    walArchive: value.WAL_ARCHIVE && resolve(value.WAL_ARCHIVE),
    databaseUrl: value.DATABASE_URL,
    databaseMigrationUrl: value.DATABASE_MIGRATION_URL,
    databasePool: value.DATABASE_POOL,
    databasePrepare: value.DATABASE_PREPARE,
    /** Streaming replicas of the database, one server each. */
    replicaUrls: replicaSettings(value),
    /** How long the server serves on after SIGTERM while `/readyz` fails. */
    drainSeconds: value.DRAIN_SECONDS ?? (production ? 5 : 0),
    demo: value.DEMO ?? isDevelopment,
    logLevel: value.LOG_LEVEL,
    name: value.NAME,
    timeZone: value.TIME_ZONE,
    reviewDays: value.REVIEW_DAYS,
    /** How long a worker can appeal a rejection. 0: a rejection is final at once. */
    appealDays: value.APPEAL_DAYS,
    /** A buyer's rejections need a reviewer above this share of their latest decisions. */
    massRejection: { percent: value.MASS_REJECTION_PERCENT, decisions: value.MASS_REJECTION_DECISIONS },
    taskFeePercent: value.TASK_FEE_PERCENT,
    reservationsMax: value.RESERVATIONS_MAX,
    holdingDays: value.HOLDING_DAYS,
    publicEmails: value.PUBLIC_EMAILS,
    trustProxy: value.TRUST_PROXY,
    /** Whether Admins must set up a second factor first. Demo Admins need none. */
    adminSecondFactor:
      value.ADMIN_SECOND_FACTOR ??
      (production && value.DEMO !== true ? ('required' as const) : ('offered' as const)),
    /** Multiplies the limits of writes. Tests and demos in development make many from one network. */
    writeLimitFactor: value.WRITE_LIMIT_FACTOR ?? (production ? 1 : 100),
    metricsToken: value.METRICS_TOKEN,
    /** The collector that traces are sent to. */
    tracesUrl: value.OTEL_EXPORTER_OTLP_ENDPOINT,
    authSecret: value.AUTH_SECRET,
    card: cardSettings(value, production),
    /** The API that makes the payouts of provider batches. */
    payoutProvider: value.PAYOUT_PROVIDER,
    issuers: issuerSettings(value, production),
    /** Actions that require a verified email. */
    verifyFor: new Set<string>(value.VERIFY_FOR ?? (value.SMTP_URL === undefined ? [] : ['withdraw'])),
    mail: mailSettings(value, dataDir, production),
    /** The rate of emails of all instances together; those that somebody waits for are sent above it. */
    emailsPerSecond: value.EMAILS_PER_SECOND,
    images: imageSettings(value, dataDir),
    webDir: join(import.meta.dirname, '..', 'build', 'client'),
    /** Set by `npm start`; the server then stops when that npm process exits. */
    startedByNpm: env.npm_lifecycle_event === 'start',
  }
}

/** How mail is sent: by SMTP, or into a folder where developers read it. */
export type MailSettings = { from: string } & (
  | { kind: 'smtp'; url: string }
  | { kind: 'folder'; folder: string }
)

function mailSettings(value: Settings, dataDir: string, production: boolean): MailSettings {
  const { MAIL: kind, SMTP_URL: url, MAIL_FROM: from } = value
  if (url !== undefined && kind !== 'folder') {
    if (from === undefined) throw new BadConfig('MAIL_FROM is missing: SMTP_URL needs a sender')
    return { kind: 'smtp', url, from }
  }
  if (kind === 'smtp')
    throw new BadConfig('SMTP_URL is missing: MAIL=smtp needs a server, smtp://… or smtps://…')
  if (production && kind !== 'folder')
    throw new BadConfig('SMTP_URL is missing: production sends mail by SMTP unless MAIL=folder is set')
  return { kind: 'folder', folder: join(dataDir, 'mail'), from: from ?? 'no-reply@localhost' }
}

/** Where pictures are stored: a folder, an S3-compatible bucket, or an imgbb-compatible host. */
export type ImageSettings =
  | { kind: 'folder'; folder: string }
  | {
      kind: 'bucket'
      url: string
      region: string
      accessKeyId: string
      secretAccessKey: string
      publicUrl: string | undefined
    }
  | { kind: 'host'; url: string; key: string }

function imageSettings(value: Settings, dataDir: string): ImageSettings {
  const bucket = areAllSet(value, ['IMAGES_BUCKET_URL', 'IMAGES_BUCKET_KEY_ID', 'IMAGES_BUCKET_SECRET'])
  const host = areAllSet(value, ['IMAGES_HOST_URL', 'IMAGES_HOST_KEY'])
  if (value.IMAGES_PUBLIC_URL !== undefined && !bucket)
    throw new BadConfig('IMAGES_BUCKET_URL is missing: IMAGES_PUBLIC_URL is the public URL of a bucket')
  if (bucket && host) throw new BadConfig('IMAGES_BUCKET_URL and IMAGES_HOST_URL are both set: set only one')
  if (bucket) {
    return {
      kind: 'bucket',
      url: withoutSlash(value.IMAGES_BUCKET_URL),
      region: value.IMAGES_BUCKET_REGION,
      accessKeyId: value.IMAGES_BUCKET_KEY_ID,
      secretAccessKey: value.IMAGES_BUCKET_SECRET,
      publicUrl: value.IMAGES_PUBLIC_URL && withoutSlash(value.IMAGES_PUBLIC_URL),
    }
  }
  if (host) return { kind: 'host', url: value.IMAGES_HOST_URL, key: value.IMAGES_HOST_KEY }
  return { kind: 'folder', folder: join(dataDir, 'images') }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

/** An OpenID Connect issuer that users can sign in with. */
export type IssuerSettings = {
  id: string
  label: string
  url: string
  clientId: string
  clientSecret: string
}

/** Returns whether these are set, or none of them. @throws BadConfig when only some are. */
function areAllSet<const Name extends keyof Settings>(
  value: Settings,
  names: readonly Name[],
): value is Settings & { [name in Name]-?: NonNullable<Settings[name]> } {
  const missing = names.filter((name) => value[name] === undefined)
  if (missing.length === 0) return true
  if (missing.length === names.length) return false
  throw new BadConfig(
    `${missing.join(' and ')} missing: ${names.join(', ')} must be set together or not at all`,
  )
}

function issuerSettings(value: Settings, production: boolean): IssuerSettings[] {
  if (production && value.OIDC_ISSUER !== undefined && new URL(value.OIDC_ISSUER).protocol === 'http:')
    throw new BadConfig('OIDC_ISSUER: production requires an https issuer')

  const google = areAllSet(value, ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'])
  const other = areAllSet(value, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])
  return [
    ...(google
      ? [
          {
            id: 'google',
            label: 'Google',
            url: 'https://accounts.google.com',
            clientId: value.GOOGLE_CLIENT_ID,
            clientSecret: value.GOOGLE_CLIENT_SECRET,
          },
        ]
      : []),
    ...(other
      ? [
          {
            id: 'oidc',
            label: value.OIDC_LABEL,
            url: value.OIDC_ISSUER,
            clientId: value.OIDC_CLIENT_ID,
            clientSecret: value.OIDC_CLIENT_SECRET,
          },
        ]
      : []),
  ]
}

/** Returns the variables that have a value. A blank one is not set; as a number it would be 0. */
function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''))
}

/** Offsets and abbreviations. PostgreSQL reads +06:00 as west of Greenwich, and BST as British instead of Bangladeshi time. */
const AMBIGUOUS_ZONE = /^([+-]|(?!UTC|GMT)[a-z]{3}$)/i

function isTimeZone(name: string): boolean {
  if (AMBIGUOUS_ZONE.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
