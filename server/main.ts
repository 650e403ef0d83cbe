import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { makeFirstBaseBackup } from './backup/base-backup.ts'
import { BadConfig } from './bad-config.ts'
import { type Config, readConfig } from './config.ts'
import type { Context } from './context.ts'
import { connect } from './database/connect.ts'
import { refuseDemoData, seedDemoData } from './demo/seed.ts'
import { createAuthenticate } from './identity/authenticate.ts'
import { setupLink } from './identity/setup.ts'
import { openSigningKeys } from './identity/signing-keys.ts'
import { type Jobs, startJobs } from './jobs/start.ts'
import { startMaintenance } from './maintenance.ts'
import { checkProvider } from './payments/check-provider.ts'
import { createProvider } from './payments/create-provider.ts'
import { lossWarnings } from './payments/warn-of-losses.ts'
import { failureText } from './run-command.ts'
import { startLog } from './start-log.ts'
import { stopOnSignals } from './stop.ts'
import { startTracing, stopTracing } from './tracing.ts'

/** Reads the configuration, opens the database and listens. Stops everything in order on SIGINT or SIGTERM. */
async function main(): Promise<void> {
  const config = readConfig()
  const log = startLog(config)
  await checkPortIsFree(config)
  await startTracing(config)
  const { database, replicas, maintenance, close } = await connect(config, log)

  let app: FastifyInstance | undefined
  let jobs: Jobs | undefined
  try {
    const keys = await openSigningKeys(database, config)
    const cards = await createProvider(database, config)
    const context = {
      database,
      replicas,
      config,
      keys,
      cards,
      authenticate: createAuthenticate(database, keys, config),
    }
    if (config.demo) await seedDemoData(database, config, log)
    else if (config.production) await refuseDemoData(database)
    const { port, host } = config
    if (!config.demo && !config.production && !config.isDevelopment)
      log(`Other machines can connect to HOST ${host}: there is no demo unless DEMO=1 is set.`)
    const web = await buildApp(context, { level: config.logLevel })
    app = web
    await withListenErrors(config, () => web.listen({ port, host }))
    jobs = await startJobs({ ...context, cards: cards.forJobs() }, app.log)
    app.writes.on('written', jobs.wakeRelay)
    if (config.production && config.publicUrl.startsWith('https:') && config.trustProxy.length === 0)
      log(
        'TRUST_PROXY is not set: all clients behind your proxy count as one network and share its rate limits.',
      )
    void checkCards(context, log)
    for (const warning of await lossWarnings(database)) log(warning)
    const link = await setupLink(database, config)
    if (link !== undefined) log(`Create the first admin, once, at ${link}`)
    if (config.walArchive !== undefined) void makeFirstBaseBackup(maintenance, config.dataDir, log)
    log(`${config.name} is ready at ${config.publicUrl}`)
  } catch (error) {
    await jobs?.stop()
    await app?.close()
    await close()
    throw error
  }

  const hourly = startMaintenance(maintenance, app.log)
  stopOnSignals(
    {
      app,
      jobs,
      close: async () => {
        hourly.stop()
        await close()
        await stopTracing()
      },
    },
    config,
    log,
  )
}

/** Prints what is wrong with the card processor's settings. The server runs without it. */
async function checkCards(context: Context, log: (line: string) => void): Promise<void> {
  try {
    for (const { name, detail } of await checkProvider(context)) log(`Card payments, ${name}: ${detail}`)
  } catch (error) {
    log(`The card processor could not be checked: ${(error as Error).message}`)
  }
}

/** Fails early when the port is in use, before the database starts. */
async function checkPortIsFree(config: Config): Promise<void> {
  const probe = createServer()
  await withListenErrors(config, async () => {
    probe.listen(config.port, config.host)
    await once(probe, 'listening')
  })
  probe.close()
  await once(probe, 'close')
}

/** @throws BadConfig when the address cannot be listened on. */
async function withListenErrors(config: Config, listen: () => Promise<unknown>): Promise<void> {
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

try {
  await main()
} catch (error) {
  console.error(failureText(error))
  process.exit(1)
}
