/** An HTTP client of a user: signs up and sends their ID token. */
export type HttpPerson = {
  email: string
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: never }>
  /** The header with the ID token. */
  authorization(): Promise<string>
  /** Fetches a new ID token at the next call. */
  renew(): Promise<void>
}

export const PASSWORD = 'Secret!pass'

/** Signs up and registers a new user over HTTP, with the payloads of existing clients. */
export async function httpPerson(url: string, role: 'Worker' | 'Buyer', email: string): Promise<HttpPerson> {
  const json = { 'content-type': 'application/json' }
  const signedUp = await fetch(`${url}/api/auth/sign-up`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ name: `${role} of the story`, email, password: PASSWORD }),
  })
  if (signedUp.status !== 201)
    throw new Error(`sign-up answered ${signedUp.status}: ${await signedUp.text()}`)
  const user = withCookie(url, email, signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? '')
  const registered = await user.call('POST', '/user-data', {
    name: 'x',
    email,
    role,
    coin: 50,
    wallet: 100,
    image: '',
  })
  if (registered.status !== 200) throw new Error(`user-data answered ${registered.status}`)
  return user
}

/** Signs in somebody who is registered already. */
export async function httpSignIn(url: string, email: string): Promise<HttpPerson> {
  const response = await fetch(`${url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  if (response.status !== 200)
    throw new Error(`sign-in answered ${response.status}: ${await response.text()}`)
  return withCookie(url, email, response.headers.getSetCookie()[0]?.split(';')[0] ?? '')
}

function withCookie(url: string, email: string, cookie: string): HttpPerson {
  let token: Promise<string> | undefined
  const freshToken = async () => {
    const response = await fetch(`${url}/api/auth/token`, { method: 'POST', headers: { cookie } })
    if (response.status !== 200) throw new Error(`token answered ${response.status}`)
    const { token: fresh } = (await response.json()) as { token: string }
    return fresh
  }
  const authorization = async () => {
    // A token that could not be fetched is fetched again by the next call.
    token ??= freshToken().catch((error: Error) => {
      token = undefined
      throw error
    })
    return `Bearer ${await token}`
  }
  return {
    email,
    authorization,
    async renew() {
      token = undefined
    },
    async call(method, path, body, headers = {}) {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          authorization: await authorization(),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as never }
    },
  }
}
