import type { FastifyRequest } from 'fastify'
import type { LinkPurpose } from '#contract/one-time-links.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { hashed } from '#server/http/rate-limit.ts'
import { isUsableLink } from './check-link.ts'
import { anyKnownDevice, knownDevice } from './known-devices.ts'
import { readPendingSignIn } from './second-factor/pending-sign-in.ts'
import { sessionOfCookie } from './sessions.ts'

type Request = { request: FastifyRequest }

/**
 * Returns functions that name the client of a request whose network has exceeded a limit of writes, or undefined for a
 * client that is not known here. A name cannot be made up: it comes from an encrypted cookie, a session, a pending
 * sign-in or a one-time link (docs/specification/api.md#limits-of-writes).
 */
export function knownClients(database: Database, config: Config) {
  async function ofUsableLink(link: { purpose: LinkPurpose; token: string }): Promise<string | undefined> {
    return (await isUsableLink(database, config, link)) ? named('link', hashed(link.token)) : undefined
  }
  return {
    /** The device on which the user of this email signed in before. */
    async ofEmail({ request, body }: Request & { body: { email: string } }): Promise<string | undefined> {
      return named('device', knownDevice(config, request, emailKey(body.email) ?? ''))
    },
    async ofSession({ request }: Request): Promise<string | undefined> {
      return named('session', await sessionOfCookie(config, database, request))
    },
    /** The link of the request, if it can still be used. */
    ofLink:
      (purpose: LinkPurpose) =>
      ({ body: { token } }: { body: { token: string } }) =>
        ofUsableLink({ purpose, token }),
    async ofCheckedLink({ body }: { body: { purpose: LinkPurpose; token: string } }) {
      return ofUsableLink(body)
    },
    /** The user whose password was accepted, or a device on which anyone signed in before. */
    async ofSecondStep({ request }: Request): Promise<string | undefined> {
      const pending = await readPendingSignIn(config, { db: database, request })
      return named('second-step', pending?.identity_id) ?? named('device', anyKnownDevice(config, request))
    },
  }
}

function named(kind: string, id: string | undefined): string | undefined {
  return id && `${kind}:${id}`
}
