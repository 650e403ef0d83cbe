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
    webDir: join(import.meta.dirname, '..', 'build', 'client'),
    /** npm sets this for `npm start`; the program then stops when the npm that started it is gone. */
    startedByNpm: env.npm_lifecycle_event === 'start',
  }
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
