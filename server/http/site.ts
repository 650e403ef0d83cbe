import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/site.ts'
import { queryOne } from '#server/database/database.ts'
import { listProviders } from '#server/identity/providers.ts'
import type { Context } from './context.ts'
import { serve } from './serve.ts'

const todayIn = queryOne<{ today: string }, [zone: string]>(
  'today_in',
  'select (clock_time() at time zone $1)::date as today',
)
const alive = queryOne<{ ok: number }, []>('alive', 'select 1 as ok')

/** What the pages ask before anybody signs in, and what a balancer asks about health. */
export function siteRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context

  serve(app, context, contract.site, async ({ db }) => ({
    name: config.name,
    demo: config.demo,
    timeZone: config.timeZone,
    today: (await todayIn(db, config.timeZone)).today,
    reviewDays: config.reviewDays,
    feePercent: config.taskFeePercent,
    card: config.card.provider,
    stripePublishableKey: context.cards.publishableKey,
    providers: listProviders(config),
  }))

  const probe = { config: { shedsLoad: false } } as const
  app.get('/healthz', probe, async () => ({ ok: true }))
  app.get('/readyz', probe, async () => ({ ok: (await alive(database)).ok === 1 }))
}
