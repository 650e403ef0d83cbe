import type { Method, WriteLimit } from '#contract/endpoint.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { clientNetwork, clientSite, NETWORKS_PER_SITE } from './client-network.ts'
import { throwRateLimited } from './rate-limit.ts'
import { createSharedCounts } from './shared-counts.ts'

const WINDOW_SECONDS = 3600
/** What a known client may do above the limit of its network, as a share of that limit. */
const KNOWN_CLIENT_SHARE = 0.05
/** The users and networks per endpoint whose counts an instance remembers. */
const COUNTS_MAX = 5000

/**
 * Returns a function that counts a write under its endpoint's limits, in one query at most. Above the limit of
 * its network a known client has a limit of its own, so that others behind its address cannot lock it out.
 */
export function createWriteLimit(
  database: Database,
  config: Config,
  { method, path, limit }: { method: Method; path: string; limit: WriteLimit },
): (ip: string, userId: string | undefined, knownClient: () => Promise<string | undefined>) => Promise<void> {
  const counts = createSharedCounts(database, WINDOW_SECONDS, COUNTS_MAX)
  const countOf = (subject: string, perHour: number) =>
    counts.countOf(`${method} ${path} ${subject}`, Math.ceil(perHour * config.writeLimitFactor))

  /** @throws Refusal `too_many_requests`. */
  return async (ip, userId, knownClient) => {
    const networks = [countOf(clientNetwork(ip), limit.perNetwork)]
    const site = clientSite(ip)
    if (site !== undefined) networks.push(countOf(site, limit.perNetwork * NETWORKS_PER_SITE))
    const users = userId !== undefined && limit.perUser !== undefined ? [countOf(userId, limit.perUser)] : []
    const exceeded = await counts.add([...networks, ...users])
    if (exceeded === undefined) return
    const client = networks.includes(exceeded) ? await knownClient() : undefined
    const own = client && (await counts.add([countOf(client, limit.perNetwork * KNOWN_CLIENT_SHARE)]))
    if (client === undefined || own) throwRateLimited(new Date((own || exceeded).resetsAt))
  }
}
