import { BadConfig } from './bad-config.ts'

/**
 * Returns the URLs of the read replicas, one server each.
 * @throws BadConfig for replicas of the embedded database, and for a server that is named twice or is the primary.
 */
export function replicaSettings(value: {
  DATABASE_URL?: string | undefined
  REPLICA_URL: string[]
}): string[] {
  const { DATABASE_URL: primary, REPLICA_URL: replicas } = value
  if (replicas.length === 0) return []
  if (primary === undefined)
    throw new BadConfig(
      'DATABASE_URL is missing: REPLICA_URL names replicas of an external PostgreSQL, and the embedded one has none',
    )
  const names = replicas.map(serverName)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw new BadConfig(`REPLICA_URL names ${repeated} twice`)
  if (replicas.includes(primary)) throw new BadConfig('REPLICA_URL is the same as DATABASE_URL')
  return replicas
}

/** Returns host and port of a PostgreSQL URL: what the log and the metrics show of it. */
export function serverName(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  return `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port || '5432')}`
}
