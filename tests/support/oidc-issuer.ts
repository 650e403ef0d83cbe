import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { IssuerSettings } from '#server/config.ts'
import { createFakeIssuer, type FakeUser } from '#server/identity/openid/fake-issuer.ts'
import { eventually } from './eventually.ts'

/**
 * An outside issuer for tests: a real OpenID provider on loopback, on another site than the product (127.0.0.1 against
 * localhost). `settings` are what the product is configured with; `port` lets it come back where it was.
 */
export async function startIssuer({
  id,
  people,
  site,
  port = 0,
  emailByUserinfo = false,
}: {
  id: string
  people: readonly FakeUser[]
  site: string
  port?: number
  emailByUserinfo?: boolean
}) {
  const server = createServer((request, response) => void reply(request, response))
  // For a moment another process may have the port that an issuer had before.
  await eventually(() => listens(server, port))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = {
    id: 'tallywork',
    secret: 'a secret between the two',
    redirectUri: `${site}/api/auth/oidc/${id}/callback`,
  }
  const notice = 'This issuer exists for a test.'
  const reply = await createFakeIssuer({ url, users: people, client, notice, emailByUserinfo })
  const settings: IssuerSettings = {
    id,
    label: 'Test issuer',
    url,
    clientId: client.id,
    clientSecret: client.secret,
  }
  return {
    url,
    settings,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Listens on a port. Returns false if the port is in use. */
async function listens(server: Server, port: number): Promise<boolean> {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
}
