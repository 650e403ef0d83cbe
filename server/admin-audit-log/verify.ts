import { createHash } from 'node:crypto'

export type Line = { content: string; hash: string }

/**
 * Proves offline that an exported record is whole: every hash is that of the line before it and its own text, and the
 * numbers run from 1. Answers how many lines hold and the last hash, or the first line that does not.
 */
export function verifyAuditLog(lines: Iterable<Line>): {
  whole: boolean
  lines: number
  lastHash: string
  broken?: number
} {
  let previous = Buffer.alloc(0)
  let count = 0
  for (const { content, hash } of lines) {
    const due = createHash('sha256').update(previous).update(content, 'utf8').digest()
    if (due.toString('hex') !== hash || numberOf(content) !== count + 1) {
      return { whole: false, lines: count, lastHash: previous.toString('hex'), broken: count + 1 }
    }
    previous = due
    count++
  }
  return { whole: true, lines: count, lastHash: previous.toString('hex') }
}

function numberOf(content: string): unknown {
  return (JSON.parse(content) as { number?: unknown }).number
}
