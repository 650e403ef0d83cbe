import type { SecurityEventKind, SecurityEventParams } from '#contract/security-log.ts'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { signText } from '#server/encryption.ts'
import type { Client } from '#server/http/client.ts'

const logEvent = query<
  never,
  [
    kind: string,
    identityId: string | null,
    network: string,
    device: string,
    params: object,
    actorId: string | null,
    emailHash: Buffer | null,
  ]
>('log_security_event', 'select log_security_event($1, $2, $3, $4, $5, $6, $7)')

type SecurityEvent<Kind extends SecurityEventKind> = {
  kind: Kind
  params: SecurityEventParams<Kind>
  client: Client
  /** Whose account the event is about; null for an email that no identity has. */
  identityId: string | null
  /** The Admin who did it to another user's account. */
  actorId?: string
  /** The hash of an email that no identity has. */
  emailHash?: Buffer
}

/** Appends an event to the security log. Statements that write anyway call the SQL function of this name instead. */
export async function logSecurityEvent<Kind extends SecurityEventKind>(
  db: Db,
  { kind, params, client, identityId, actorId, emailHash }: SecurityEvent<Kind>,
): Promise<void> {
  const { network, device } = client
  await logEvent(db, kind, identityId, network, device, params, actorId ?? null, emailHash ?? null)
}

const logExportEvent = query<
  never,
  [identityId: string, actorId: string | null, network: string, device: string, data: ExportedData]
>(
  'log_data_exported',
  `select log_security_event('data_exported', $1, $3, $4, jsonb_build_object('data', $5::text), $2)
    where not exists (select from security_log
                       where identity_id = $1 and actor_id is not distinct from $2 and kind = 'data_exported'
                         and network = $3 and params ->> 'data' = $5 and time > now() - interval '1 minute')`,
)
type ExportedData = SecurityEventParams<'data_exported'>['data']

/**
 * Logs an export of the data of `identityId`: once in a minute for each viewer, network and kind of data, because exports
 * have no rate limit.
 */
export async function logExport(
  db: Db,
  identityId: string,
  viewerId: string,
  { network, device }: Client,
  data: ExportedData,
): Promise<void> {
  const actorId = viewerId === identityId ? null : viewerId
  await logExportEvent(db, identityId, actorId, network, device, data)
}

/** Returns a keyed hash of an email, so that the log does not store emails that people typed by mistake. */
export function emailHash(emailKey: string, config: Config): Buffer {
  return signText(emailKey, 'security log email', config)
}
