import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Config } from '#server/config.ts'
import { decrypt, encrypt, keyFor } from '#server/encryption.ts'
import { hashed } from '#server/http/rate-limit.ts'
import { cookieOf } from './cookies.ts'

/** Browsers keep a cookie for 400 days at most. */
const DAYS = 365
/** The users of one browser that are remembered. */
const USERS_MAX = 5
const CONTEXT = 'known devices'
const COOKIE = 'tallywork-device'

/** The users who signed in on this device, by the hash of their email, newest first. */
const Devices = z.array(z.object({ user: z.string(), device: z.string(), expiresAt: z.number() }))
type Devices = z.infer<typeof Devices>

/**
 * Returns the random id of the request's device if this user signed in on it with a password, else undefined. Such a
 * device is exempt from the limits that strangers can exhaust (docs/specification/identity.md#rate-limits). Its cookie
 * signs in nobody.
 */
export function knownDevice(config: Config, request: FastifyRequest, emailKey: string): string | undefined {
  return devicesIn(config, request).find(({ user }) => user === hashed(emailKey))?.device
}

/** Returns the id of the request's device if any user signed in on it with a password. */
export function anyKnownDevice(config: Config, request: FastifyRequest): string | undefined {
  return devicesIn(config, request)[0]?.device
}

/** Remembers in a cookie that this user signed in on the request's device. */
export function rememberDevice(
  config: Config,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  emailKey: string,
): void {
  const user = hashed(emailKey)
  const known = devicesIn(config, request)
  const device = known.find((one) => one.user === user)?.device ?? randomBytes(16).toString('base64url')
  const expiresAt = Date.now() + DAYS * 86_400_000
  const others = known.filter((one) => one.user !== user)
  const devices = [{ user, device, expiresAt }, ...others].slice(0, USERS_MAX)
  const { name, options } = cookieOf(config, COOKIE)
  const value = encrypt(JSON.stringify(devices), CONTEXT, keyFor(CONTEXT, config)).toString('base64url')
  reply.setCookie(name, value, { ...options, expires: new Date(expiresAt) })
}

function devicesIn(config: Config, request: FastifyRequest): Devices {
  const cookie = request.cookies[cookieOf(config, COOKIE).name]
  if (cookie === undefined) return []
  const text = decrypt(Buffer.from(cookie, 'base64url'), CONTEXT, keyFor(CONTEXT, config))
  if (text === undefined) return []
  return Devices.parse(JSON.parse(text)).filter(({ expiresAt }) => expiresAt > Date.now())
}
