import path from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

const DOMAIN_PROCESS = path.resolve('scripts/test/domain-process.ts')

/** A reporter of node:test: one line of JSON for each test that ran, with a text if it failed. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.skip !== undefined || data.todo !== undefined) continue
    const error = type === 'test:fail' ? data.details.error : null
    // A group passes with its tests, which are counted, and fails with them or on its own: in a hook, while it is read.
    // So does a file of the domain tests, which is a test with all that it contains.
    const isGroup = data.details.type === 'suite' || data.file === DOMAIN_PROCESS
    if (error === null ? isGroup : failureType(error) === 'subtestsFailed') continue
    const place = data.file ? `${path.relative('.', data.file)}:${data.line} ` : ''
    const failure = error && `${place}${data.name}\n${inspect(error.cause ?? error)}`
    yield `${JSON.stringify({ failure, file: data.file, name: data.name, ms: data.details.duration_ms })}\n`
  }
}

function failureType(error: Error): unknown {
  return 'failureType' in error ? error.failureType : undefined
}
