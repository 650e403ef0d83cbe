import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'

/** A picture of 900 by 600 pixels. */
export const png = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#3a7' } })
  .png()
  .toBuffer()

/** Another site. `requested` are the paths that it received. */
export async function startSite(respond: RequestListener) {
  const requested: string[] = []
  const server = createServer((request, response) => {
    requested.push(request.url ?? '')
    respond(request, response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { requested, port, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
