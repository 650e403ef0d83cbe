import { createHash } from 'node:crypto'
import * as z from 'zod'

/** One line of an exported audit log. */
export const ExportedEntry = z.object({ content: z.string(), hash: z.string() })
export type ExportedEntry = z.infer<typeof ExportedEntry>
/** What an entry's content has in every version. */
export const EntryContent = z.looseObject({ number: z.int() })

/**
 * Verifies the hash chain of an exported audit log: each hash covers the previous hash and the entry's content, and the
 * numbers are consecutive from 1. Returns the number of valid entries, the last valid hash and the first invalid entry.
 */
export function verifyAuditLog(log: Iterable<ExportedEntry>): {
  valid: boolean
  entries: number
  lastHash: string
  firstInvalid?: number
} {
  let previous = Buffer.alloc(0)
  let count = 0
  for (const { content, hash } of log) {
    const expected = createHash('sha256').update(previous).update(content, 'utf8').digest()
    if (expected.toString('hex') !== hash || EntryContent.parse(JSON.parse(content)).number !== count + 1) {
      return { valid: false, entries: count, lastHash: previous.toString('hex'), firstInvalid: count + 1 }
    }
    previous = expected
    count++
  }
  return { valid: true, entries: count, lastHash: previous.toString('hex') }
}
