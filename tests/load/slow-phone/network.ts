import type { Page } from '@playwright/test'

export type Network = { kbitPerSecond: number; latencyMs: number; slower: number }

type Totals = { bytes: number; requests: number; files: number; urls: string[] }

export type Traffic = {
  readonly total: Totals
  /** Returns what was loaded since the last call. */
  take(): Totals
  /** Waits until nothing but the live stream is being loaded. Throws with what is after a minute. */
  settled(): Promise<void>
}

const QUIET_MS = 500
const SETTLED_MS_MAX = 60_000

/** Slows the page's network and processor down. The browser estimates its network by the same values. */
export async function emulatePhone(page: Page, { kbitPerSecond, latencyMs, slower }: Network): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const throughput = (kbitPerSecond * 1000) / 8
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
    connectionType: 'cellular3g',
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower })
  await page.addInitScript(
    (effectiveType) => {
      const { connection } = navigator as { connection?: EventTarget }
      if (connection) Object.defineProperty(connection, 'effectiveType', { value: effectiveType })
    },
    kbitPerSecond < 700 ? '3g' : '4g',
  )
}

/** Counts what the page loads over the wire, headers included, and nothing that its cache or service worker has. */
export async function countTraffic(page: Page): Promise<Traffic> {
  const devtools = await page.context().newCDPSession(page)
  const inFlight = new Map<string, { url: string; isCached: boolean }>()
  const total: Totals = { bytes: 0, requests: 0, files: 0, urls: [] }
  let since: Totals = { bytes: 0, requests: 0, files: 0, urls: [] }
  let changedAt = Date.now()
  await devtools.send('Network.enable')
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!/\/api\/live|^data:/.test(request.url))
      inFlight.set(requestId, { url: request.url, isCached: false })
    changedAt = Date.now()
  })
  const setCached = (requestId: string) => {
    const request = inFlight.get(requestId)
    if (request) request.isCached = true
  }
  devtools.on('Network.requestServedFromCache', ({ requestId }) => setCached(requestId))
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache || response.fromServiceWorker) setCached(requestId)
  })
  devtools.on('Network.loadingFailed', ({ requestId }) => inFlight.delete(requestId))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = inFlight.get(requestId)
    inFlight.delete(requestId)
    changedAt = Date.now()
    if (request === undefined || request.isCached) return
    for (const totals of [total, since]) {
      totals.bytes += encodedDataLength
      totals.requests += 1
      totals.files += request.url.includes('/api/') ? 0 : 1
      totals.urls.push(`${encodedDataLength} ${request.url}`)
    }
  })
  return {
    total,
    take() {
      const taken = since
      since = { bytes: 0, requests: 0, files: 0, urls: [] }
      return taken
    },
    async settled() {
      const begun = Date.now()
      while (inFlight.size > 0 || Date.now() - changedAt < QUIET_MS) {
        if (Date.now() - begun > SETTLED_MS_MAX)
          throw new Error(`Still in flight: ${[...inFlight.values()].map(({ url }) => url).join(', ')}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }
}
