import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type Value = { stringValue?: string; intValue?: number }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Value }[]
}
type Export = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }

/** A collector of OpenTelemetry on this machine, which keeps the spans that it receives. */
export async function startOtlpReceiver() {
  const spans: Span[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      if (request.url === '/v1/traces')
        for (const { scopeSpans } of (body as Export).resourceSpans)
          spans.push(...scopeSpans.flatMap((one) => one.spans))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
