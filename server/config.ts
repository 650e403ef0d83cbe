import { join, resolve } from 'node:path'
import * as z from 'zod'

const flag = z.enum(['0', '1']).transform((value) => value === '1')
const zone = z.string().refine(isTimeZone, 'is not the name of a time zone, like Asia/Dhaka')

/** Each variable is written down once, here; the README's table lists the same. */
const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(8),
  DATABASE_PREPARE: flag.default(true),
  DEMO: flag.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  NAME: z.string().trim().min(1).max(40).default('Tallywork'),
  TIME_ZONE: zone.default('Asia/Dhaka'),
  REVIEW_DAYS: z.coerce.number().min(0.001).max(365).default(7),
  TASK_FEE_PERCENT: z.coerce.number().min(0).max(50).default(0),
  HOLDING_DAYS: z.coerce.number().min(0).max(365).default(0),
  PUBLIC_EMAILS: z.enum(['shown', 'masked']).default('shown'),
  TRUST_PROXY: z.string().default(''),
  AUTH_SECRET: z.string().min(32).optional(),
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
    .optional(),
  IMAGES_BUCKET_URL: z.url({ protocol: /^https?$/ }).optional(),
  IMAGES_BUCKET_REGION: z.string().min(1).default('us-east-1'),
  IMAGES_BUCKET_KEY_ID: z.string().min(1).optional(),
  IMAGES_BUCKET_SECRET: z.string().min(1).optional(),
  IMAGES_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  IMAGES_HOST_URL: z.url({ protocol: /^https?$/ }).optional(),
  IMAGES_HOST_KEY: z.string().min(1).optional(),
})

export type Config = ReturnType<typeof readConfig>

/**
 * The only reader of the environment. A server with a bad environment refuses to start and says which variable is
 * wrong and why. In production nothing of the demo world exists unless DEMO=1 asks for it by name.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const parsed = Environment.safeParse(withoutEmpty(env))
  if (!parsed.success) {
    const reasons = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new BadConfig(`The settings are not right:\n${reasons.join('\n')}`)
  }
  const value = parsed.data
  const production = value.NODE_ENV === 'production'
  const dataDir = resolve(value.DATA_DIR)
  if (production && value.AUTH_SECRET === undefined) {
    throw new BadConfig('AUTH_SECRET is missing: in production give 32 or more random characters of your own')
  }
  return {
    production,
    port: value.PORT,
    host: value.HOST,
    publicUrl:
      value.PUBLIC_URL === undefined ? `http://localhost:${value.PORT}` : new URL(value.PUBLIC_URL).origin,
    dataDir,
    databaseUrl: value.DATABASE_URL,
    databasePool: value.DATABASE_POOL,
    databasePrepare: value.DATABASE_PREPARE,
    demo: value.DEMO ?? !production,
    logLevel: value.LOG_LEVEL,
    name: value.NAME,
    timeZone: value.TIME_ZONE,
    reviewDays: value.REVIEW_DAYS,
    taskFeePercent: value.TASK_FEE_PERCENT,
    holdingDays: value.HOLDING_DAYS,
    publicEmails: value.PUBLIC_EMAILS,
    trustProxy: value.TRUST_PROXY.split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
    authSecret: value.AUTH_SECRET,
    issuers: issuersOf(value, production),
    /** What a person may do only with a verified address. */
    verifyFor: new Set<string>(value.VERIFY_FOR ?? []),
    images: imageStore(value, dataDir),
    webDir: join(import.meta.dirname, '..', 'build', 'client'),
    /** npm sets this for `npm start`; the program then stops when the npm that started it is gone. */
    startedByNpm: env.npm_lifecycle_event === 'start',
  }
}

/** Where pictures are kept: a folder, an S3-compatible bucket, or an imgbb-compatible host. */
export type ImageStore =
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

function imageStore(value: z.output<typeof Environment>, dataDir: string): ImageStore {
  const { IMAGES_BUCKET_URL: bucket, IMAGES_HOST_URL: host } = value
  if (bucket !== undefined && host !== undefined)
    throw new BadConfig('IMAGES_BUCKET_URL and IMAGES_HOST_URL are both set: give one of them')
  if (bucket !== undefined) {
    const { IMAGES_BUCKET_KEY_ID: accessKeyId, IMAGES_BUCKET_SECRET: secretAccessKey } = value
    if (accessKeyId === undefined || secretAccessKey === undefined)
      throw new BadConfig('IMAGES_BUCKET_URL also needs IMAGES_BUCKET_KEY_ID and IMAGES_BUCKET_SECRET')
    const publicUrl = value.IMAGES_PUBLIC_URL && withoutSlash(value.IMAGES_PUBLIC_URL)
    const region = value.IMAGES_BUCKET_REGION
    return { kind: 'bucket', url: withoutSlash(bucket), region, accessKeyId, secretAccessKey, publicUrl }
  }
  if (host === undefined) return { kind: 'folder', folder: join(dataDir, 'images') }
  if (value.IMAGES_HOST_KEY === undefined)
    throw new BadConfig('IMAGES_HOST_URL also needs IMAGES_HOST_KEY, the key that the host gave you')
  return { kind: 'host', url: host, key: value.IMAGES_HOST_KEY }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

/** An OpenID issuer that people may sign in with. */
export type IssuerSettings = {
  id: string
  label: string
  url: string
  clientId: string
  clientSecret: string
}

function issuersOf(value: z.output<typeof Environment>, production: boolean): IssuerSettings[] {
  const together = (names: readonly (keyof typeof value)[]) => {
    const missing = names.filter((name) => value[name] === undefined)
    if (missing.length === 0) return true
    if (missing.length === names.length) return false
    throw new BadConfig(
      `${missing.join(' and ')} missing: ${names.join(', ')} are given together or not at all`,
    )
  }
  if (production && value.OIDC_ISSUER?.startsWith('http:'))
    throw new BadConfig('OIDC_ISSUER: in production an issuer is reached over https')

  const google = together(['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'])
  const other = together(['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])
  return [
    ...(google
      ? [
          {
            id: 'google',
            label: 'Google',
            url: 'https://accounts.google.com',
            clientId: value.GOOGLE_CLIENT_ID as string,
            clientSecret: value.GOOGLE_CLIENT_SECRET as string,
          },
        ]
      : []),
    ...(other
      ? [
          {
            id: 'oidc',
            label: value.OIDC_LABEL,
            url: value.OIDC_ISSUER as string,
            clientId: value.OIDC_CLIENT_ID as string,
            clientSecret: value.OIDC_CLIENT_SECRET as string,
          },
        ]
      : []),
  ]
}

/** Said to the operator as it stands, without a stack. */
export class BadConfig extends Error {}

function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
