import type * as z from 'zod/mini'
import { ENDPOINTS } from '#contract/api.ts'

type Def = Record<string, unknown> & { error?: (issue: object) => unknown; checks?: Node[] }
type Node = { _zod: { def: Def } }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && '_zod' in value

/** Returns every message that a schema of a request has of its own. */
export function messagesOfContract(): Set<string> {
  const messages = new Set<string>()
  const seen = new Set<unknown>()

  function collect(value: unknown): void {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (!isNode(value)) {
      for (const part of Object.values(value)) collect(part)
      return
    }
    const { def } = value._zod
    const message = def.error?.({ code: 'custom', input: '' })
    if (typeof message === 'string') messages.add(message)
    for (const [name, part] of Object.entries(def)) if (name !== 'error') collect(part)
  }

  for (const { endpoint } of ENDPOINTS)
    for (const schema of [endpoint.query, endpoint.body] as (z.ZodMiniType | undefined)[]) collect(schema)
  return messages
}
