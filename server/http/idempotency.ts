import { createHash } from 'node:crypto'
import { STATUS_OF } from '#contract/errors.ts'
import type { Locale } from '#contract/locales.ts'
import { type Database, type Db, query, type Tx } from '#server/database/database.ts'
import { clientNetwork } from './client-network.ts'
import { asRefusal, errorReply } from './errors.ts'
import { Refusal } from './refusal.ts'

export type HandlerResponse = {
  status: number
  body: unknown
  replayed?: boolean
  /** The language of a refusal. */
  locale?: Locale
}
type Attempt = {
  userId: string
  key: string
  call: string
  input: unknown
  /** The language of a refusal. */
  locale: Locale
}

/** Returns the user id under which idempotency keys of an anonymous client are stored: a hash of its network. */
export function anonymousUserId(ip: string): string {
  const hex = createHash('sha256')
    .update(`stranger at ${clientNetwork(ip)}`)
    .digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

const claim = query<{ key: string }, [userId: string, key: string, call: string, hash: Buffer]>(
  'idempotency_claim',
  `insert into idempotency_keys (user_id, key, call, body_hash) values ($1, $2, $3, $4)
   on conflict (user_id, key) do nothing returning key`,
)
const findFirst = query<
  { call: string; body_hash: Buffer; status: number | null; reply: unknown; locale: Locale | null },
  [userId: string, key: string]
>(
  'idempotency_first',
  'select call, body_hash, status, reply, locale from idempotency_keys where user_id = $1 and key = $2',
)
const store = query<
  never,
  [userId: string, key: string, status: number, reply: string | null, locale: Locale | null]
>(
  'idempotency_store',
  'update idempotency_keys set status = $3, reply = $4, locale = $5 where user_id = $1 and key = $2',
)
const savepoint = query<never, []>('idempotency_savepoint', 'savepoint attempt')
const rollback = query<never, []>('idempotency_rollback', 'rollback to savepoint attempt')

/**
 * Runs a write that calls an outside service, which no transaction can include, under its caller's idempotency key. Such a write is
 * already idempotent; this refuses another body under the same key. The response is marked as replayed when an earlier attempt
 * has succeeded.
 */
export async function runClaimed(
  database: Database,
  { userId, key, call, input }: Omit<Attempt, 'locale'>,
  work: (db: Database) => Promise<HandlerResponse>,
): Promise<HandlerResponse> {
  const hash = hashOf(input)
  const [claimed] = await claim(database, userId, key, call, hash)
  const replayed =
    claimed === undefined && (await firstOf(database, { userId, key, call }, hash)).status !== null
  const response = await work(database)
  if (!replayed) await store(database, userId, key, response.status, null, null)
  return { ...response, replayed }
}

async function firstOf(db: Db, { userId, key, call }: Omit<Attempt, 'input' | 'locale'>, hash: Buffer) {
  const [first] = await findFirst(db, userId, key)
  if (first === undefined || first.call !== call || !first.body_hash.equals(hash))
    throw new Refusal('idempotency_key_reused')
  return first
}

/** @throws Refusal `invalid_request` for a body nested too deeply to serialize. */
function hashOf(input: unknown): Buffer {
  return createHash('sha256').update(serialized(input)).digest()
}

function serialized(input: unknown): string {
  try {
    return JSON.stringify(input)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Refusal('invalid_request.nesting')
  }
}

/**
 * Runs a write under its caller's idempotency key (docs/specification/api.md). Key, effect and response are stored in
 * one transaction. The same key and body return the first response; another body under the same key is refused. A
 * refusal by a rule is stored like a success, and thrown; 5xx and 429 are not stored, so that they can be retried.
 */
export async function runIdempotently(
  database: Database,
  attempt: Attempt,
  work: (tx: Tx) => Promise<HandlerResponse>,
): Promise<HandlerResponse> {
  const { userId, key, call, input, locale } = attempt
  const hash = hashOf(input)

  const result = await database.transaction(async (tx): Promise<HandlerResponse | Refusal> => {
    const [claimed] = await claim(tx, userId, key, call, hash)
    if (claimed === undefined) {
      const first = await firstOf(tx, attempt, hash)
      return {
        // It was stored in the transaction that claimed the key.
        status: first.status as number,
        body: first.reply ?? undefined,
        replayed: true,
        ...(first.locale && { locale: first.locale }),
      }
    }

    await savepoint(tx)
    let response: HandlerResponse
    let refusal: Refusal | undefined
    try {
      response = await work(tx)
    } catch (error) {
      refusal = asRefusal(error)
      const status = STATUS_OF[refusal.code]
      if (status >= 500 || status === 429) throw error
      await rollback(tx)
      response = { status, body: errorReply(refusal, locale), locale }
    }
    const { status, body } = response
    await store(tx, userId, key, status, JSON.stringify(body ?? null), response.locale ?? null)
    return refusal ?? response
  })
  // Thrown after the commit, so that it is sent and logged like every other refusal.
  if (result instanceof Refusal) throw result
  return result
}
