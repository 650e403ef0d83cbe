/** Responses by URL on this site, without their origin. */
export type EarlyResponses = Map<string, Promise<Response>>

declare global {
  interface Window {
    /** What the page's inline script requested before the app ran (web/prerendered/early-requests.ts). */
    earlyResponses?: EarlyResponses
  }
}

/** Returns the response that was requested early from a URL, once; undefined when there is none. */
export function takeEarlyResponse(url: string): Promise<Response> | undefined {
  const response = window.earlyResponses?.get(url)
  window.earlyResponses?.delete(url)
  return response
}

/**
 * Drops the responses that nobody has taken: they belong to another screen or to a session that has changed, or an event may be
 * newer.
 */
export function dropEarlyResponses(): void {
  window.earlyResponses?.clear()
}
