import type { Error as ErrorBody } from './client.ts'
import { optional, type Values } from './command.ts'
import { ofResponse } from './failure.ts'

type ListResponse<Row> = { status: number; data: Row[] | ErrorBody; headers: Headers }

/** The options of every list. */
export const PAGING = { limit: { type: 'string' }, cursor: { type: 'string' } } as const

export function pagingOf(values: Values): { limit?: string; cursor?: string } {
  const [limit, cursor] = [optional(values, 'limit'), optional(values, 'cursor')]
  return { ...(limit && { limit }), ...(cursor && { cursor }) }
}

/** Returns a page of a list with the cursor of the next one. @throws Failure for a response that is no list. */
export async function readPage<Row>(request: Promise<ListResponse<Row>>) {
  const { status, data, headers } = await request
  if (!Array.isArray(data)) throw ofResponse(status, data)
  return { items: data, nextCursor: headers.get('x-next-cursor') }
}

export const moreText = (cursor: string | null) => (cursor === null ? '' : `\n\nMore: --cursor ${cursor}`)
