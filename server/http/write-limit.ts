import { LRUCache } from 'lru-cache'
import type { Method, WriteLimit } from '#contract/endpoint.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { clientNetwork, clientSite, NETWORKS_PER_SITE } from './client-network.ts'
import { addHits, throwRateLimited } from './rate-limit.ts'

const WINDOW_SECONDS = 3600
/** Writes are added to the shared count when they are this share of the limit, so that most need no query. */
const BATCH_SHARE = 0.05
/** What a known client may do above the limit of its network, as a share of that limit. */
const KNOWN_CLIENT_SHARE = 0.05
/** The users and networks per endpoint whose counts an instance remembers. */
const COUNTS_MAX = 5000

/** `added` of the writes are in the database, where all instances count; `pending` are not yet. */
type Count = { key: string; max: number; added: number; pending: number; resetsAt: number }

/**
 * Returns a function that counts a write under its endpoint's limits, in one query at most. It takes the database, not a
 * transaction: counting inside one would hold a connection while waiting for another.
 * An instance may admit a twentieth above the limit before it learns what other instances have counted. Above the limit of
 * its network a known client has a limit of its own, so that others behind its address cannot lock it out.
 */
export function createWriteLimit(
  database: Database,
  config: Config,
  { method, path, limit }: { method: Method; path: string; limit: WriteLimit },
): (ip: string, userId: string | undefined, knownClient: () => Promise<string | undefined>) => Promise<void> {
  // Its arrays are allocated at once: an endpoint that receives no write needs none.
  let counts: LRUCache<string, Count> | undefined

  function countOf(subject: string, perHour: number): Count {
    const key = `${method} ${path} ${subject}`
    counts ??= new LRUCache({ max: COUNTS_MAX })
    const known = counts.get(key)
    if (known !== undefined && known.resetsAt > Date.now()) return known
    const max = Math.ceil(perHour * config.writeLimitFactor)
    const count = { key, max, added: 0, pending: 0, resetsAt: Date.now() + WINDOW_SECONDS * 1000 }
    counts.set(key, count)
    return count
  }

  /** Adds one write to each count. Returns the first that is exceeded; then none was added to. */
  async function add(counted: Count[]): Promise<Count | undefined> {
    const exceeded = counted.find(isExceeded)
    if (exceeded !== undefined) return exceeded
    for (const count of counted) count.pending++
    const due = counted.filter(isDue)
    if (due.length === 0) return undefined

    const batch = due.map(({ key, pending }) => ({ key, hits: pending, seconds: WINDOW_SECONDS }))
    for (const count of due) {
      count.added += count.pending
      count.pending = 0
    }
    for (const { key, hits, resetsAt } of await addHits(database, batch)) {
      const count = due.find((each) => each.key === key)
      if (count !== undefined) Object.assign(count, { added: hits, resetsAt: resetsAt.getTime() })
    }
    return due.find(isExceeded)
  }

  /** @throws Refusal `too_many_requests`. */
  return async (ip, userId, knownClient) => {
    const networks = [countOf(clientNetwork(ip), limit.perNetwork)]
    const site = clientSite(ip)
    if (site !== undefined) networks.push(countOf(site, limit.perNetwork * NETWORKS_PER_SITE))
    const users = userId !== undefined && limit.perUser !== undefined ? [countOf(userId, limit.perUser)] : []
    const exceeded = await add([...networks, ...users])
    if (exceeded === undefined) return
    const client = networks.includes(exceeded) ? await knownClient() : undefined
    const own = client && (await add([countOf(client, limit.perNetwork * KNOWN_CLIENT_SHARE)]))
    if (client === undefined || own) throwRateLimited(new Date((own || exceeded).resetsAt))
  }
}

function isDue({ max, added, pending }: Count): boolean {
  return pending >= Math.floor(max * BATCH_SHARE) || added + pending >= max
}

function isExceeded({ added, max }: Count): boolean {
  return added > max
}
