import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/user-overview.ts'
import type { RouteContext } from '#server/context.ts'
import { spellingsOf } from '#server/database/search-words.ts'
import { serve } from '#server/http/serve.ts'
import { typedAccounts } from './destination-keys.ts'
import { usersByTrace } from './queries.ts'
import { readOverview } from './read.ts'
import { tableRoutes } from './table-routes.ts'

export function userOverviewRoutes(app: FastifyInstance, context: RouteContext): void {
  tableRoutes(app, context)

  serve(app, context, contract.userOverview, ({ db, params }) => readOverview(db, params.id))

  serve(app, context, contract.searchUsersByTrace, async ({ db, query }) => {
    const { q } = query
    if (q === undefined) return []
    const rows = await usersByTrace(db, q, typedAccounts(q), spellingsOf(q))
    return rows.map(({ id, ...row }) => ({ _id: id, ...row }))
  })
}
