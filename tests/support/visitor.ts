import type { FastifyInstance } from 'fastify'

export type Page = { url: URL; status: number; headers: Headers; text: string; json: <Shape>() => Shape }
type Visit = {
  method?: string
  json?: object
  form?: Record<string, string>
  headers?: Record<string, string>
}

/**
 * A browser as far as signing in needs one: it keeps cookies by host and path and goes where it is sent. Addresses of
 * `site` are requested from the app itself, all others over the network.
 */
export function aVisitor(app: FastifyInstance, site: string) {
  const jar = new Map<string, { value: string; path: string; host: string; name: string }>()

  function cookiesFor(url: URL): string {
    return [...jar.values()]
      .filter(({ host, path }) => host === url.host && url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }

  function keep(url: URL, lines: string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      const find = (key: string) =>
        attributes.find((part) => part.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
      const path = find('path') ?? '/'
      const expires = find('expires')
      const gone = find('max-age') === '0' || (expires !== undefined && Date.parse(expires) <= Date.now())
      const key = `${url.host} ${path} ${name}`
      if (gone || value === '') jar.delete(key)
      else jar.set(key, { name, value, path, host: url.host })
    }
  }

  /** Fetches one address, without following where it leads. */
  async function once(address: string, visit: Visit = {}): Promise<Page> {
    const url = new URL(address, site)
    const headers: Record<string, string> = { ...visit.headers, cookie: cookiesFor(url) }
    const method = visit.method ?? (visit.json || visit.form ? 'POST' : 'GET')
    let payload: string | undefined
    if (visit.json) {
      headers['content-type'] = 'application/json'
      payload = JSON.stringify(visit.json)
    } else if (visit.form) {
      headers['content-type'] = 'application/x-www-form-urlencoded'
      payload = new URLSearchParams(visit.form).toString()
    }
    const response = await (url.origin === site ? inside(url, method, headers, payload) : outside())
    function outside(): Promise<Response> {
      return fetch(url, {
        method,
        headers,
        redirect: 'manual',
        ...(payload !== undefined && { body: payload }),
      })
    }
    keep(url, response.headers.getSetCookie())
    const text = await response.text()
    return {
      url,
      status: response.status,
      headers: response.headers,
      text,
      json: () => JSON.parse(text) as never,
    }
  }

  async function inside(
    url: URL,
    method: string,
    headers: Record<string, string>,
    payload: string | undefined,
  ): Promise<Response> {
    const response = await app.inject({
      method: method as 'GET',
      url: url.pathname + url.search,
      headers: { host: url.host, ...headers },
      ...(payload !== undefined && { payload }),
    })
    const given = new Headers()
    for (const [name, value] of Object.entries(response.headers)) {
      for (const one of Array.isArray(value) ? value : [value]) given.append(name, String(one))
    }
    const empty = response.statusCode === 204 || response.statusCode === 304
    return new Response(empty ? null : response.payload, { status: response.statusCode, headers: given })
  }

  /** Fetches an address and follows where it leads, until `stop` says that this page is the one. */
  async function go(
    address: string,
    visit: Visit = {},
    stop: (url: URL) => boolean = () => false,
  ): Promise<Page> {
    let page = await once(address, visit)
    for (let hops = 0; hops < 20; hops++) {
      const location = page.headers.get('location')
      if (location === null) return page
      const next = new URL(location, page.url)
      if (stop(next)) return { ...page, url: next }
      page = await once(next.href)
    }
    throw new Error('Sent in circles')
  }

  return { once, go, jar }
}
export type Visitor = ReturnType<typeof aVisitor>
