import { query, queryOne } from '#server/database/database.ts'
import { afterCursor, beforeCursor } from '#server/database/keyset.ts'

export type SecurityEventRow = {
  id: number
  time: string
  kind: string
  identity_id: string | null
  email: string | null
  actor_id: string | null
  actor_email: string | null
  email_hash: string | null
  network: string
  device: string
  params: Record<string, unknown>
}

const EVENTS = `
  select log.id, log.time, log.kind, log.identity_id, log.actor_id, encode(log.email_hash, 'hex') as email_hash,
         log.network, log.device, log.params,
         (select email from identities where id = log.identity_id) as email,
         (select email from identities where id = log.actor_id) as actor_email
    from security_log as log`
const BEFORE = `log.id < ${beforeCursor('$1', 'bigint')} order by log.id desc limit $2`

export const eventsNewestFirst = query<SecurityEventRow, [before: number | null, limit: number]>(
  'security_log_newest_first',
  `${EVENTS} where ${BEFORE}`,
)

export const eventsOfKind = query<SecurityEventRow, [before: number | null, limit: number, kind: string]>(
  'security_log_of_kind',
  `${EVENTS} where log.kind = $3 and ${BEFORE}`,
)

/** Returns events of an identity's account, without those that an Admin did to others. */
export const eventsOfIdentity = query<
  SecurityEventRow,
  [before: number | null, limit: number, identityId: string]
>('security_log_of_identity', `${EVENTS} where log.identity_id = $3 and ${BEFORE}`)

/**
 * Returns events of an email: of the account that has it, of what its user did as an Admin, and of failed sign-ins while
 * no account had it. Each part is a page of its own, because one index serves each.
 */
export const eventsOfEmail = query<
  SecurityEventRow,
  [before: number | null, limit: number, emailKey: string, emailHash: Buffer, kind: string | null]
>(
  'security_log_of_email',
  `with found as (
     (select log.* from security_log as log
       where log.identity_id = (select id from identities where email_key = $3)
         and ($5::text is null or log.kind = $5) and ${BEFORE})
     union
     (select log.* from security_log as log
       where log.actor_id = (select id from identities where email_key = $3)
         and ($5::text is null or log.kind = $5) and ${BEFORE})
     union
     (select log.* from security_log as log
       where log.email_hash = $4 and ($5::text is null or log.kind = $5) and ${BEFORE}))
   ${EVENTS.replace('security_log', 'found')} order by log.id desc limit $2`,
)

export const eventsOldestFirst = query<SecurityEventRow, [after: number | null, limit: number]>(
  'security_log_oldest_first',
  `${EVENTS} where log.id > ${afterCursor('$1', 'bigint')} order by log.id limit $2`,
)

export const purgeBatch = queryOne<{ deleted: number }, [limit: number]>(
  'purge_security_log',
  'select purge_security_log($1) as deleted',
)
