import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { LIST_LIMIT_MAX } from '#contract/product.ts'
import { isDay, Time } from '#contract/shapes.ts'
import { Refusal } from './refusal.ts'

export type PageRequest = { limit?: number | undefined; cursor?: string | undefined }

/**
 * Returns one page of a keyset-paginated list and sets the header `x-next-cursor` if there is a next one. `read` gets the
 * decoded cursor (the key of the last row, or nulls for the first page) and the rows to fetch, one more than the page. The
 * request's query, as its contract parses it, has the order and the filters of the list besides `limit` and `cursor`.
 * @throws Refusal `invalid_request` for a cursor of another list, order or filter.
 */
export async function page<Row>(
  reply: FastifyReply,
  { limit = LIST_LIMIT_MAX, cursor, ...filter }: PageRequest,
  shape: readonly KeyPart[],
  read: (after: readonly (string | number | null)[], count: number) => Promise<Row[]>,
  keyOf: (row: Row) => readonly (string | number)[],
): Promise<Row[]> {
  const list = () => hashOfList(reply, filter)
  const after = cursor === undefined ? shape.map(() => null) : decode(cursor, shape, list)
  const rows = await read(after, limit + 1)
  if (rows.length <= limit) return rows
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  if (last !== undefined) {
    const key = Buffer.from(JSON.stringify(keyOf(last))).toString('base64url')
    reply.header('x-next-cursor', `${key}=${list()}`)
  }
  return shown
}

/** Returns a short hash of the list that a request reads: its path, its order and its filters. */
function hashOfList({ request: { routeOptions, params } }: FastifyReply, filter: object): string {
  return hash('sha256', JSON.stringify([routeOptions.url, params, filter]), 'base64url').slice(0, 11)
}

/** What a part of a cursor may be: an id, a whole number, a day, a time, a short text. */
export type KeyPart = 'id' | 'number' | 'day' | 'time' | 'text'

const KEY_PART_CHECKS: Record<KeyPart, (part: unknown) => boolean> = {
  id: (part) => typeof part === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(part),
  number: (part) => Number.isSafeInteger(part),
  day: (part) => typeof part === 'string' && isDay(part),
  time: (part) => Time.safeParse(part).success,
  text: (part) => typeof part === 'string' && !part.includes('\u0000') && part.isWellFormed(),
}

/**
 * Returns the key in a cursor: what is before `=`, the end of base64, so that instances of earlier versions read it too during an
 * upgrade. Their cursors are only the key and stay valid, as cursors do not expire.
 */
function decode(cursor: string, shape: readonly KeyPart[], list: () => string): (string | number)[] {
  try {
    const [key = '', ofList] = cursor.split('=')
    const isOfList = ofList === undefined || ofList === list()
    const parts: unknown = isOfList && JSON.parse(Buffer.from(key, 'base64url').toString())
    if (
      Array.isArray(parts) &&
      parts.length === shape.length &&
      shape.every((kind, index) => KEY_PART_CHECKS[kind](parts[index]))
    ) {
      return parts as (string | number)[]
    }
  } catch {
    // Not a cursor of ours: said below.
  }
  throw new Refusal('invalid_request.cursor', { fields: { cursor: 'Unknown cursor' } })
}
