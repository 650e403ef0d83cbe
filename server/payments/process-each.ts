import { Refusal } from '#server/http/refusal.ts'
import { StoredFailure } from './provider.ts'

/**
 * Runs work on each item, one after another. An item that fails does not stop the others; a provider that is unavailable
 * does. @throws AggregateError of all failures, at the end.
 */
export async function processEach<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for await (const item of items) {
    try {
      await work(item)
    } catch (error) {
      failures.push(error)
      if (isUnavailable(error)) break
    }
  }
  const [first] = failures
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} failed; the first: ${first}`)
}

function isUnavailable(error: unknown): boolean {
  return (
    error instanceof Refusal && error.code === 'payments_unavailable' && !(error instanceof StoredFailure)
  )
}
