import { useRef } from 'react'
import { deleteDraft, readDraft, storeDraft } from '#web/lib/drafts.ts'

/**
 * An attempt to send a form whose outcome is unknown, since `at`: the server may have accepted it
 * (docs/decisions/0075-unsent-work.md). `values` are serialized; `body` is that of its first request.
 */
export type UnknownAttempt = { values: string; key: string; at: number; body?: unknown }

/** A day less than the server keeps idempotency keys (docs/specification/api.md#idempotency). */
const REPEATABLE_MS = 6 * 86_400_000

type Values = Record<string, unknown>

/** Keeps the last attempt of a form. With a name it is kept in the browser too, after the form was closed or the page reloaded. */
export function useUnknownAttempts(name: string | undefined) {
  const last = useRef<UnknownAttempt>(null)
  const storedAs = name === undefined ? undefined : `attempt ${name}`
  const readStored = () => (storedAs === undefined ? null : readDraft<UnknownAttempt | null>(storedAs, null))
  return {
    /** Returns the attempt with these values, also when another tab has replaced the stored one by its own. */
    find(values: Values): UnknownAttempt | undefined {
      const serialized = serialize(values)
      return [last.current, readStored()].find((kept) => kept?.values === serialized) ?? undefined
    },
    keep(attempt: UnknownAttempt): void {
      last.current = attempt
      if (storedAs !== undefined) storeDraft(storedAs, attempt)
    },
    forget({ key }: UnknownAttempt): void {
      if (storedAs !== undefined && readStored()?.key === key) deleteDraft(storedAs)
      if (last.current?.key === key) last.current = null
    },
  }
}

/** Returns an attempt that begins now, with a new idempotency key. */
export const beginAttempt = (values: Values): UnknownAttempt => ({
  values: serialize(values),
  key: crypto.randomUUID(),
  at: Date.now(),
})

/** Returns whether the server returns its first response to a retry. An attempt of an earlier version has no time. */
export const isRepeatable = ({ at }: UnknownAttempt): boolean => Date.now() - at < REPEATABLE_MS

/** Returns the values as text that another picture changes. */
const serialize = (values: Values) =>
  JSON.stringify(values, (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  )
