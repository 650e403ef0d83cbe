import type { FastifyReply } from 'fastify'
import { LIST_LIMIT_MAX } from '#contract/product.ts'
import { isDay, Time } from '#contract/shapes.ts'
import { Refusal } from './refusal.ts'

export type PageRequest = { limit?: number | undefined; cursor?: string | undefined }

/**
 * Returns one page of a keyset-paginated list and sets the header `x-next-cursor` if there is a next one. `read` gets the
 * decoded cursor (the key of the last row, or nulls for the first page) and the rows to fetch, one more than the page.
 * @throws Refusal `invalid_request` for a cursor of another list.
 */
export async function page<Row>(
  reply: FastifyReply,
  { limit = LIST_LIMIT_MAX, cursor }: PageRequest,
  shape: readonly KeyPart[],
  read: (after: readonly (string | number | null)[], count: number) => Promise<Row[]>,
  keyOf: (row: Row) => readonly (string | number)[],
): Promise<Row[]> {
  const after = cursor === undefined ? shape.map(() => null) : decode(cursor, shape)
  const rows = await read(after, limit + 1)
  if (rows.length <= limit) return rows
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  if (last !== undefined)
    reply.header('x-next-cursor', Buffer.from(JSON.stringify(keyOf(last))).toString('base64url'))
  return shown
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

function decode(cursor: string, shape: readonly KeyPart[]): (string | number)[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
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
