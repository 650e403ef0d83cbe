import type { Page, Visitor } from './visitor.ts'

const isScreen = (url: URL) => !/^\/(api|demo|interaction|auth)(\/|$)/.test(url.pathname)

/** Where the browser is sent when a sign-in with a service begins. */
export async function startSignIn(visitor: Visitor, id: string, returnTo?: string): Promise<URL> {
  const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`
  const page = await visitor.once(`/api/auth/oidc/${id}/start${query}`)
  return new URL(page.headers.get('location') ?? '', page.url)
}

/** Chooses this user at the fake issuer and returns the callback URL, unvisited. */
export async function choose(visitor: Visitor, start: URL, sub: string): Promise<URL> {
  const isBack = (url: URL) => url.pathname.endsWith('/callback')
  const choice = await visitor.go(start.href, {}, isBack)
  if (isBack(choice.url)) return choice.url
  return (await visitor.go(choice.url.href, { form: { sub } }, isBack)).url
}

/** Signs in at the fake issuer as one of its users; returns the final screen. */
export async function signInAt(visitor: Visitor, id: string, sub: string, returnTo?: string): Promise<URL> {
  const start = await startSignIn(visitor, id, returnTo)
  if (isScreen(start) && start.searchParams.has('error')) return start
  const back = await choose(visitor, start, sub)
  return landing(await visitor.once(back.href))
}

/** The screen that a page sends the browser to. */
export function landing(page: Page): URL {
  return new URL(page.headers.get('location') ?? '', page.url)
}
