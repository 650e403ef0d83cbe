import type { FastifyInstance } from 'fastify'
import { addedTaxOf, packagesOf } from '#contract/operator-settings.ts'
import * as contract from '#contract/site.ts'
import type { Context } from '#server/context.ts'
import { queryOne } from '#server/database/database.ts'
import { serve } from '#server/http/serve.ts'
import { listProviders } from '#server/identity/providers.ts'
import { readSetting } from '#server/operator-settings/read.ts'

const todayIn = queryOne<{ today: string }, [zone: string]>(
  'today_in',
  'select (clock_time() at time zone $1)::date as today',
)

/** Serves the site's public settings, which pages need before anyone signs in. */
export function siteRoutes(app: FastifyInstance, context: Context): void {
  const { config } = context

  serve(app, context, contract.site, async ({ db }) => {
    const [{ today }, packages, { centsPerCoin }, seller] = await Promise.all([
      todayIn(db, config.timeZone),
      readSetting(db, 'packages'),
      readSetting(db, 'withdrawal_rate'),
      readSetting(db, 'seller'),
    ])
    return {
      name: config.name,
      demo: config.demo,
      timeZone: config.timeZone,
      today,
      reviewDays: config.reviewDays,
      appealDays: config.appealDays,
      feePercent: config.taskFeePercent,
      packages: packagesOf(packages),
      addedTax: addedTaxOf(seller),
      centsPerCoin,
      card: config.card.provider,
      stripePublishableKey: context.cards.publishableKey,
      providers: listProviders(config),
    }
  })
}
