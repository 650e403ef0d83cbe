import { MANY_ROWS, PIPELINED, query, queryOne } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'

export type EndpointRow = {
  id: string
  name: string
  url: string
  events: string[]
  state: 'active' | 'paused' | 'ended'
  paused_because: 'user' | 'failures' | 'password_reset' | 'role' | null
  failing_since: string | null
  previous_until: string | null
  created_at: string
  waiting: number
}

const COLUMNS = `id, name, url, events, state, paused_because, failing_since, created_at,
  case when previous_until > now() then previous_until end as previous_until,
  (select count(*) from webhook_deliveries where endpoint_id = endpoints.id and webhook_deliveries.state = 'pending') as waiting`

/** Returns a user's endpoints, newest first: every one that has not ended, and of the ended ones the newest. */
export const endpointsOf = query<EndpointRow, [user: string]>(
  'webhook_endpoints_of_user',
  `select * from (select ${COLUMNS} from webhook_endpoints as endpoints where user_id = $1
                   order by state = 'ended', created_at desc, id limit 100) as listed order by created_at desc, id`,
)
export const endpointOf = query<EndpointRow, [id: string, user: string]>(
  'webhook_endpoint_of_user',
  `select ${COLUMNS} from webhook_endpoints as endpoints where id = $1 and user_id = $2`,
)
export const createEndpointStatement = queryOne<
  EndpointRow,
  [
    id: string,
    user: string,
    name: string,
    url: string,
    events: readonly string[],
    secret: Buffer,
    max: number,
  ]
>(
  'webhook_endpoint_create',
  `select ${COLUMNS} from create_webhook_endpoint($1, $2, $3, $4, $5, $6, $7) as endpoints`,
)
export const lockEndpointStatement = queryOne<{ url: string }, [id: string, user: string]>(
  'webhook_endpoint_lock',
  'select url from lock_webhook_endpoint($1, $2)',
)
export const changeEndpointStatement = queryOne<
  EndpointRow,
  [id: string, user: string, name: string | null, url: string | null, events: readonly string[] | null]
>(
  'webhook_endpoint_change',
  `select ${COLUMNS} from change_webhook_endpoint($1, $2, $3, $4, $5) as endpoints`,
)
export const rotateSecretStatement = queryOne<
  EndpointRow,
  [id: string, user: string, secret: Buffer, overlap: string]
>('webhook_endpoint_rotate', `select ${COLUMNS} from rotate_webhook_secret($1, $2, $3, $4) as endpoints`)
export const setPausedStatement = query<EndpointRow, [id: string, user: string, paused: boolean]>(
  'webhook_endpoint_pause',
  `select ${COLUMNS} from set_webhook_paused($1, $2, $3) as endpoints`,
  MANY_ROWS,
)
export const deleteEndpointStatement = query<{ name: string }, [id: string, user: string]>(
  'webhook_endpoint_delete',
  'select name from delete_webhook_endpoint($1, $2)',
)
export const deleteEndpointsOf = query<{ name: string }, [user: string]>(
  'webhook_endpoints_delete_of_user',
  'select name from delete_webhook_endpoints_of($1) as name',
)
export const testEndpointStatement = query<{ id: string }, [id: string, user: string]>(
  'webhook_endpoint_test',
  'select test_webhook_endpoint($1, $2) as id',
)
export const replayDeliveryStatement = query<never, [id: string, user: string]>(
  'webhook_delivery_replay',
  'select replay_webhook_delivery($1, $2)',
)

export type DeliveryRow = {
  id: string
  seq: number
  event_id: string
  type: string
  object_id: string
  state: 'pending' | 'delivered' | 'failed'
  created_at: string
  payload: string
  event_at: string
  due_at: string | null
  attempts: { at: string; status: number | null; error: string | null; body: string; durationMs: number }[]
}

/** Returns the deliveries of an endpoint, newest first, each with its latest attempts. */
export const deliveriesOf = query<
  DeliveryRow,
  [endpoint: string, user: string, before: number | null, limit: number]
>(
  'webhook_deliveries_of_endpoint',
  `select deliveries.id, seq, event_id, type, object_id, deliveries.state, deliveries.created_at, payload::text, event_at,
          case when webhook_endpoints.state = 'active' then due_at end as due_at,
          coalesce((select jsonb_agg(jsonb_build_object('at', iso_time(at), 'status', status, 'error', error, 'body', body,
                             'durationMs', duration_ms) order by latest.id desc)
                      from (select * from webhook_attempts where delivery_id = deliveries.id order by id desc limit 20) as latest), '[]')
            as attempts
     from webhook_deliveries as deliveries join webhook_endpoints on webhook_endpoints.id = endpoint_id
    where endpoint_id = $1 and user_id = $2 and seq < ${beforeCursor('$3', 'bigint')}
    order by seq desc limit $4`,
)

/** Returns the active endpoints that have deliveries which are due. Skips from endpoint to endpoint: one may have very many. */
export const dueEndpoints = query<{ id: string }, []>(
  'webhook_endpoints_due',
  `with recursive waiting as (
     (select endpoint_id from webhook_deliveries where due_at is not null order by endpoint_id, due_at limit 1)
     union all
     select following.endpoint_id from waiting cross join lateral (
       select endpoint_id from webhook_deliveries
        where due_at is not null and endpoint_id > waiting.endpoint_id order by endpoint_id, due_at limit 1) as following
   )
   select waiting.endpoint_id as id from waiting cross join lateral (
     select from webhook_deliveries where endpoint_id = waiting.endpoint_id and due_at <= now()
        and (claimed_until is null or claimed_until <= now()) limit 1) as due
    where (select state from webhook_endpoints where id = waiting.endpoint_id) = 'active'`,
  PIPELINED,
)

export type ClaimedRow = {
  id: string
  claim: number
  event_id: string
  type: string
  payload: string
  event_at: string
  endpoint_id: string
  url: string
  secret: Buffer
  previous_secret: Buffer | null
}

/**
 * Claims deliveries of an endpoint that are due, at most one of each object, and returns them. Until the lease ends no
 * other run claims them.
 */
export const claimDeliveries = query<ClaimedRow, [endpoint: string, limit: number, lease: string]>(
  'webhook_deliveries_claim',
  `select id, claim, event_id, type, payload::text, event_at, endpoint_id, url, secret, previous_secret
     from claim_webhook_deliveries($1, $2, $3)`,
)

export type Stopped = { outcome: 'ended' | 'paused'; name: string; user_id: string }

export const finishAttempt = query<
  Stopped,
  [
    delivery: string,
    claim: number,
    url: string,
    status: number | null,
    error: string | null,
    body: string,
    duration: number,
    retryDelays: readonly string[],
    pauseAfter: string,
  ]
>(
  'webhook_attempt_finish',
  'select outcome, name, user_id from finish_webhook_attempt($1, $2, $3, $4, $5, $6, $7, $8, $9)',
  MANY_ROWS,
)

export const userOf = query<{ name: string; email: string }, [id: string]>(
  'webhook_user',
  'select name, email from users where id = $1 and deleted_at is null',
)

/** Deletes deliveries that are older than 30 days, except those that an active endpoint has not finished. */
export const deleteOldDeliveries = query<{ id: string }, [batch: number]>(
  'webhook_deliveries_purge',
  `delete from webhook_deliveries where id in (
     select id from webhook_deliveries
      where created_at < now() - interval '30 days'
        and (state <> 'pending' or endpoint_id in (select id from webhook_endpoints where state <> 'active'))
      order by created_at limit $1)
   returning id`,
)

/** Deletes deliveries of deleted endpoints. */
export const deleteDeliveriesOfDeleted = query<{ id: string }, [batch: number]>(
  'webhook_deliveries_of_deleted_purge',
  `delete from webhook_deliveries where id in (
     select webhook_deliveries.id from webhook_endpoints join webhook_deliveries on endpoint_id = webhook_endpoints.id
      where user_id is null limit $1)
   returning id`,
)
/** Deletes deleted endpoints that have no deliveries any more. */
export const deleteEmptyEndpoints = query<never, []>(
  'webhook_endpoints_purge',
  `delete from webhook_endpoints
    where user_id is null and not exists (select from webhook_deliveries where endpoint_id = webhook_endpoints.id)`,
)
