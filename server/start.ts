import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { makeFirstBaseBackup } from './backup/base-backup.ts'
import type { Config } from './config.ts'
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
import { lossWarnings } from './payments/loss-warnings.ts'
import { payoutWarnings } from './payouts/send.ts'
import { withListenErrors } from './port.ts'
import { type Started, stopOnSignals } from './stop.ts'
import { startTracing, stopTracing } from './tracing.ts'

/**
 * Opens the database, serves requests and starts the background jobs. Stops everything in order on SIGINT or SIGTERM.
 * @param log prints a line for the operator.
 * @throws BadConfig when the operator has to change something.
 */
export async function start(config: Config, log: (line: string) => void): Promise<void> {
  await startTracing(config)
  const { database, replicas, maintenance, close } = await connect(config, log)

  let app: FastifyInstance | undefined
  let jobs: Jobs | undefined
  // A start that fails ends the process itself.
  const { promise: started, resolve: finishStart } = Promise.withResolvers<Started>()
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
    // From the first request on: a load balancer may send some before the start has finished.
    stopOnSignals(app, started, config, log)
    await withListenErrors(config, () => web.listen({ port, host }))
    jobs = await startJobs({ ...context, cards: cards.forJobs() }, app.log)
    app.writes.on('written', jobs.wakeRelay)
    if (config.production && config.publicUrl.startsWith('https:') && config.trustProxy.length === 0)
      log(
        'TRUST_PROXY is not set: all clients behind your proxy count as one network and share its rate limits.',
      )
    void checkCards(context, log)
    for (const warning of await lossWarnings(database)) log(warning)
    for (const warning of await payoutWarnings(database, config)) log(warning)
    const link = await setupLink(database, config)
    if (link !== undefined) log(`Create the first admin, once, at ${link}`)
    if (config.walArchive !== undefined) void makeFirstBaseBackup(maintenance, config.dataDir, log)
  } catch (error) {
    await jobs?.stop()
    await app?.close()
    await close()
    throw error
  }

  const hourly = startMaintenance(maintenance, app.log)
  finishStart({
    jobs,
    close: async () => {
      hourly.stop()
      await close()
      await stopTracing()
    },
  })
  log(`${config.name} is ready at ${config.publicUrl}`)
}

/** Prints what is wrong with the card processor's settings. The server runs without it. */
async function checkCards(context: Context, log: (line: string) => void): Promise<void> {
  try {
    for (const { name, detail } of await checkProvider(context)) log(`Card payments, ${name}: ${detail}`)
  } catch (error) {
    log(`The card processor could not be checked: ${(error as Error).message}`)
  }
}
