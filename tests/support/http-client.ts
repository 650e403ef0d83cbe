import { eventually } from './eventually.ts'

/** An HTTP client of a user: signs up and sends their ID token. */
export type HttpUser = {
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
export async function httpSignUp(url: string, role: 'Worker' | 'Buyer', email: string): Promise<HttpUser> {
  const user = await signUp(url, { name: `${role} of the story`, email, password: PASSWORD })
  const body = { name: 'x', email, role, coin: 50, wallet: 100, image: '' }
  const { response } = await fetchUntilServed(`${url}/api/user-data`, {
    ...withJson(body),
    headers: { ...JSON_HEADERS, authorization: await user.authorization() },
  })
  if (response.status !== 200) throw new Error(`user-data returned ${response.status}`)
  return user
}

async function signUp(
  url: string,
  account: { name: string; email: string; password: string },
): Promise<HttpUser> {
  const { response, isRetry } = await fetchUntilServed(`${url}/api/auth/sign-up`, withJson(account))
  // The attempt that returned 503 may have created the account.
  if (response.status === 409 && isRetry) return httpSignIn(url, account.email)
  if (response.status !== 201)
    throw new Error(`sign-up returned ${response.status}: ${await response.text()}`)
  return withCookie(url, account.email, cookieOf(response))
}

/** Signs in somebody who is registered already. */
export async function httpSignIn(url: string, email: string): Promise<HttpUser> {
  const account = { email, password: PASSWORD }
  const { response } = await fetchUntilServed(`${url}/api/auth/sign-in`, withJson(account))
  if (response.status !== 200)
    throw new Error(`sign-in returned ${response.status}: ${await response.text()}`)
  return withCookie(url, email, cookieOf(response))
}

const JSON_HEADERS = { 'content-type': 'application/json' }
const withJson = (body: object) => ({ method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(body) })
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** Sends a request, and retries it while the response is a 503: on a busy machine statements exceed their timeout. */
async function fetchUntilServed(
  url: string,
  init: RequestInit,
): Promise<{ response: Response; isRetry: boolean }> {
  let attempts = 0
  let response = new Response()
  await eventually(async () => {
    attempts++
    response = await fetch(url, init)
    return response.status !== 503
  })
  return { response, isRetry: attempts > 1 }
}

function withCookie(url: string, email: string, cookie: string): HttpUser {
  let token: Promise<string> | undefined
  const freshToken = async () => {
    const { response } = await fetchUntilServed(`${url}/api/auth/token`, {
      method: 'POST',
      headers: { cookie },
    })
    if (response.status !== 200) throw new Error(`token returned ${response.status}`)
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
