import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/user-overview.ts'
import { accountNumberOf } from '#contract/withdrawals.ts'
import type { RouteContext } from '#server/context.ts'
import { serve } from '#server/http/serve.ts'
import { usersByTrace } from './queries.ts'
import { readOverview } from './read.ts'

export function userOverviewRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.userOverview, ({ db, params }) => readOverview(db, params.id))

  serve(app, context, contract.searchUsersByTrace, async ({ db, query }) => {
    const { q } = query
    if (q === undefined) return []
    const rows = await usersByTrace(db, q, destinationKeys(q))
    return rows.map(({ id, ...row }) => ({ _id: id, ...row }))
  })
}

/** Returns the keys that a typed number can have among destinations (withdrawals.destination_key). */
function destinationKeys(typed: string): string[] {
  const mobile = accountNumberOf('Bkash', typed) ?? accountNumberOf('Rocket', typed)
  const digits = typed.replace(/[ .-]/g, '')
  const text = typed.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return [...new Set([mobile, mobile?.slice(0, 11), digits, text].filter((key) => key !== undefined))]
}
