import path from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** A reporter of node:test: one line of JSON for each test that ran, with a text if it failed. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.skip !== undefined || data.todo !== undefined) continue
    const error = type === 'test:fail' ? data.details.error : null
    // A describe block fails with its tests, which are counted, or by itself: in a hook or while it is read.
    const isSuite = data.details.type === 'suite'
    if (isSuite && (error === null || (error as { failureType?: string }).failureType === 'subtestsFailed'))
      continue
    const place = data.file ? `${path.relative('.', data.file)}:${data.line} ` : ''
    const failure = error && `${place}${data.name}\n${inspect(error.cause ?? error)}`
    yield `${JSON.stringify({ failure })}\n`
  }
}
