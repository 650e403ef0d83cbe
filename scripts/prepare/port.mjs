import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Throws where the port of the server is in use, with the server's own message (server/main.ts). Other faults of PORT and
 * HOST are left to the server, which names the setting.
 */
export async function checkPortIsFree({ PORT = '3000', HOST = '127.0.0.1' }) {
  const port = Number(PORT || 3000)
  const probe = createServer()
  try {
    probe.listen(port, HOST || '127.0.0.1')
    await once(probe, 'listening')
  } catch (error) {
    if (error.code !== 'EADDRINUSE') return
    throw new Error(
      `Port ${port} on ${HOST} is already in use. Stop what uses it, or start with PORT=… set to a free one.`,
    )
  }
  probe.close()
  await once(probe, 'close')
}
