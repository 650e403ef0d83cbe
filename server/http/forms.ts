import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PageForm } from '#contract/endpoint.ts'
import type { FormErrorCode } from '#contract/form-errors.en.ts'
import { type Locale, localePath, splitLocale } from '#contract/locales.ts'
import type { Config } from '#server/config.ts'
import { asRefusal, logFailure } from './errors.ts'
import { Refusal } from './refusal.ts'
import { returnPath } from './return-path.ts'

/**
 * Serves the form of a page whose scripts have not run yet. Responds like the form's endpoint, by the same function, and
 * redirects to a page in the same language; a failure is named by a code in the fragment, which shows the message without a
 * script.
 */
export function serveForm(
  app: FastifyInstance,
  config: Config,
  action: string,
  form: PageForm,
  respond: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      async (request: FastifyRequest, payload: IncomingMessage) => {
        const body = await app.readBody(request, payload)
        return Object.fromEntries(new URLSearchParams(body.toString()))
      },
    )
    scope.post(action, { onRequest: requireOrigin }, async (request, reply) => {
      const { locale, returnTo } = refererOf(config, form, request)
      let location = returnTo ?? localePath(locale, form.success) + queryOf(form, request.body)
      try {
        await respond(request, reply)
      } catch (error) {
        const refusal = asRefusal(error)
        logFailure(request, refusal, error)
        const query = returnTo === undefined ? '' : `?${new URLSearchParams({ returnTo })}`
        location = `${localePath(locale, form.page)}${query}#${errorOf(form, refusal)}`
      }
      return reply.redirect(location, 303)
    })
  })
}

/** Requires a form of our own origin: unlike JSON, any site can send one without a preflight. */
function requireOrigin(
  { headers }: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  if (headers.origin === undefined) done(new Refusal('wrong_origin'))
  else done()
}

/**
 * Returns the language of the form's page, and its parameter `returnTo`, if the form honours it and it is a path of this
 * site. The page is a static file: `Referer` names it.
 */
function refererOf(
  config: Config,
  { page, honoursReturnTo }: PageForm,
  { headers }: FastifyRequest,
): { locale: Locale; returnTo: string | undefined } {
  const url = URL.parse(headers.referer ?? '')
  const { locale, path } = splitLocale(url?.pathname ?? '')
  const returnTo = honoursReturnTo && path === page ? url?.searchParams.get('returnTo') : undefined
  return { locale, returnTo: returnPath(config, returnTo) }
}

function queryOf({ successQuery }: PageForm, body: unknown): string {
  const parsed = successQuery?.safeParse(body)
  return parsed?.success ? `?${new URLSearchParams(parsed.data)}` : ''
}

function errorOf({ errors }: PageForm, { code, fields = {} }: Refusal): FormErrorCode {
  const names = [...Object.keys(fields).map((field) => `${code}.${field}`), code]
  return names.map((name) => errors.find((error) => error === name)).find(Boolean) ?? 'internal'
}
