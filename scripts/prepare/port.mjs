import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Throws where the server cannot listen, with the server's own message (server/port.ts). A PORT that is no port is left to
 * the check of the settings, which names it.
 */
export async function checkPortIsFree({ PORT = '3000', HOST = '127.0.0.1' }) {
  const port = Number(PORT || 3000)
  const probe = createServer()
  try {
    probe.listen(port, HOST || '127.0.0.1')
    await once(probe, 'listening')
  } catch (error) {
    if (error.code === 'EADDRINUSE')
      throw new Error(
        `Port ${port} on ${HOST} is already in use. Stop what uses it, or start with PORT=… set to a free one.`,
      )
    if (['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'].includes(error.code))
      throw new Error(`Cannot listen on ${HOST}:${port} (${error.code}). Choose another HOST or PORT.`)
    return
  }
  probe.close()
  await once(probe, 'close')
}
