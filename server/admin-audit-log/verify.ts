import { createHash } from 'node:crypto'

/** One line of an exported audit log. */
export type ExportedEntry = { content: string; hash: string }

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
    if (expected.toString('hex') !== hash || numberOf(content) !== count + 1) {
      return { valid: false, entries: count, lastHash: previous.toString('hex'), firstInvalid: count + 1 }
    }
    previous = expected
    count++
  }
  return { valid: true, entries: count, lastHash: previous.toString('hex') }
}

function numberOf(content: string): unknown {
  return (JSON.parse(content) as { number?: unknown }).number
}
