import { once } from 'node:events'
import { createServer } from 'node:net'
import { BadConfig } from './bad-config.ts'
import type { Config } from './config.ts'

/** Fails early when the port is in use, before the database starts. */
export async function checkPortIsFree(config: Config): Promise<void> {
  const probe = createServer()
  await withListenErrors(config, async () => {
    probe.listen(config.port, config.host)
    await once(probe, 'listening')
  })
  probe.close()
  await once(probe, 'close')
}

/** @throws BadConfig when the address cannot be listened on. */
export async function withListenErrors(config: Config, listen: () => Promise<unknown>): Promise<void> {
  try {
    await listen()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new BadConfig(
        `Port ${config.port} on ${config.host} is already in use. Stop what uses it, or start with PORT=… set to a free one.`,
      )
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new BadConfig(
        `Cannot listen on ${config.host}:${config.port} (${code}). Choose another HOST or PORT.`,
      )
    }
    throw error
  }
}
