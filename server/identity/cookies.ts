import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

/**
 * Returns the name and options of a cookie that no script reads. With the __Host- prefix, browsers accept it from this host
 * over https only.
 */
export function cookieOf(
  config: Config,
  name: string,
  sameSite: 'strict' | 'lax' = 'strict',
): { name: string; options: CookieSerializeOptions } {
  const secure = config.publicUrl.startsWith('https:')
  return { name: secure ? `__Host-${name}` : name, options: { path: '/', httpOnly: true, sameSite, secure } }
}

/** Returns the secret of a cookie, or undefined where there is none of a secret's form. */
export function secretIn(request: FastifyRequest, { name }: { name: string }): string | undefined {
  const secret = request.cookies[name]
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined
}
