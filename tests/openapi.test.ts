import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { generateAst, type OpenAPI, parseSpec, printAst } from 'oazapfts'
import { createContext } from 'oazapfts/context'
import { ENDPOINTS } from '#contract/api.ts'
import { addExamples, curlOf, EXAMPLES_FILE, readExamples } from '#server/api-docs/examples.ts'
import { openApi, operationsOfApiKeys } from '#server/api-docs/openapi.ts'
import { useApi } from './support/api.ts'
import { operationsWithExamples, recordExamples } from './support/example-requests.ts'

const SNAPSHOT = join(import.meta.dirname, 'openapi.snap.json')
const CLIENT = join(import.meta.dirname, '../cli/client.ts')

/** Fails when a file is not `content`. UPDATE_SNAPSHOT=1 writes it. */
async function expectCurrent(path: string, content: string): Promise<void> {
  if (process.env.UPDATE_SNAPSHOT === '1') await writeFile(path, content)
  assert.equal(
    content,
    await readFile(path, 'utf8'),
    'The contract changed. If it was meant: UPDATE_SNAPSHOT=1 npm test -- tests/openapi.test.ts',
  )
}

test('the published wire is what the snapshot says; a change of contract is a visible diff', async () => {
  await expectCurrent(SNAPSHOT, `${JSON.stringify(openApi('Tallywork'), null, 2)}\n`)
})

test('a success that is not completed yet is a 202 with the same body', () => {
  const { paths = {} } = openApi('Tallywork')
  for (const operation of [paths['/payment-success']?.post, paths['/operator-settings/{name}']?.put]) {
    const { 200: done, 202: accepted } = operation?.responses ?? {}
    assert.ok(accepted?.content?.['application/json'])
    assert.deepEqual(accepted.content, done?.content)
  }
})

test('uploads have a body, pages a next cursor, and repeated responses a mark', () => {
  const { paths = {} } = openApi('Tallywork')
  const mediaTypes = ['/images', '/uploads/{id}', '/card-disputes/{id}/files/{field}'].map((path) => {
    const { post, patch, put } = paths[path] ?? {}
    const body = (post ?? patch ?? put)?.requestBody as { content?: object } | undefined
    return Object.keys(body?.content ?? {})
  })
  assert.deepEqual(mediaTypes, [
    ['multipart/form-data'],
    ['application/octet-stream'],
    ['multipart/form-data'],
  ])
  const headersOf = (path: string, method: 'get' | 'post') =>
    Object.keys(paths[path]?.[method]?.responses?.[200]?.headers ?? {})
  assert.deepEqual(headersOf('/all-task', 'get'), ['x-next-cursor'])
  assert.deepEqual(headersOf('/notifications/{email}', 'get'), ['x-next-cursor', 'x-unread-count'])
  assert.deepEqual(headersOf('/my-submissoin/{email}', 'get').slice(2), ['x-next-cursor', 'x-total-count'])
  assert.deepEqual(headersOf('/payment-success', 'post'), ['idempotency-replayed'])
})

test('an Admin may name another user only where Admins are admitted', () => {
  const { paths = {} } = openApi('Tallywork')
  const saysSo = [
    paths['/my-task/{email}']?.get,
    paths['/withdraw/{email}']?.post,
    paths['/update-coin/{email}']?.patch,
  ].map((operation) => operation?.description?.includes('unless the caller is an Admin'))
  assert.deepEqual(saysSo, [true, false, false])
})

test('the document passes the recommended rules of Redocly', async () => {
  const document = addExamples(openApi('Tallywork'), 'https://tallywork.example')
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  )
})

test('the client of cli/ is generated from the operations of API keys', async () => {
  const document = await parseSpec(operationsOfApiKeys(openApi('Tallywork')) as OpenAPI.Document)
  const header = '// Generated from contract/ by tests/openapi.test.ts. Do not edit.\n'
  await expectCurrent(CLIENT, header + printAst(await generateAst(createContext(document))))
})

test('no two endpoints share a method and path, and every one says who may call', () => {
  const calls = ENDPOINTS.map(
    ({ endpoint }) => `${endpoint.method} ${endpoint.path.replaceAll(/:\w+/g, ':')}`,
  )
  assert.equal(new Set(calls).size, calls.length)
  for (const { endpoint, name } of ENDPOINTS) assert.ok(endpoint.access.who.length > 0, name)
})

test('docs/specification/api.md lists the limits of every write', async () => {
  const page = await readFile(join(import.meta.dirname, '../docs/specification/api.md'), 'utf8')
  const section = page.split('\n## Limits of writes\n')[1]?.split('\n## ')[0] ?? ''
  const listed = section.split('\n').filter((line) => line.startsWith('| `'))
  const rows = ENDPOINTS.flatMap(({ endpoint: { method, path, limit } }) => {
    if (limit === undefined) return []
    const numbers = [limit.perUser, limit.perNetwork].map((perHour) => perHour?.toLocaleString('en') ?? '–')
    return [`| \`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}\` | ${numbers.join(' | ')} |`]
  })
  assert.deepEqual(listed.toSorted(), rows.toSorted())
})

/** Returns the first line of a response that is text, such as the names of columns. */
const firstLineOf = (response: unknown) =>
  typeof response === 'string' ? response.split('\n')[0] : undefined

describe('the examples', () => {
  const api = useApi()

  test('are requests that the server accepts, with responses of the shape that it sends now', async () => {
    const recorded = await recordExamples(api)
    if (process.env.UPDATE_SNAPSHOT === '1')
      await writeFile(EXAMPLES_FILE, `${JSON.stringify(recorded, null, 2)}\n`)
    const examples = readExamples()
    assert.deepEqual(Object.keys(examples).toSorted(), Object.keys(recorded).toSorted())

    for (const { name, endpoint } of operationsWithExamples()) {
      const { path, lastEventId, body, status, response } = examples[name] ?? assert.fail(name)
      const [url, ...sent] = [path, recorded[name]?.path].map((each) => new URL(`https://x${each}`))
      assert.deepEqual(
        sent.map(({ searchParams }) => [...searchParams.keys()]),
        [[...(url?.searchParams.keys() ?? [])]],
      )
      assert.deepEqual([lastEventId, status], [recorded[name]?.lastEventId, recorded[name]?.status], name)
      endpoint.query?.parse(Object.fromEntries(url?.searchParams ?? []))
      assert.deepEqual(endpoint.body?.parse(body), body, name)
      assert.equal(firstLineOf(response), firstLineOf(recorded[name]?.response), name)
      // What the schema does not know is no part of the parsed response.
      if (response !== undefined) assert.deepEqual(endpoint.reply.parse(response), response, name)
    }
  })

  test('have a response for every operation that has one', () => {
    const examples = readExamples()
    const without = operationsWithExamples().filter(({ name }) => examples[name]?.response === undefined)
    assert.deepEqual(
      without.filter(({ name }) => examples[name]?.status !== 204).map(({ name }) => name),
      [],
    )
  })

  test('have commands that a shell splits into the words of the request', () => {
    const example = { path: '/x?q=it%27s', body: { text: "it's" }, status: 200 }
    assert.equal(
      curlOf('POST', example, 'https://x.example'),
      [
        "curl -X POST 'https://x.example/api/x?q=it%27s'",
        '-H "Authorization: Bearer $TALLYWORK_KEY"',
        '-H "Idempotency-Key: $(openssl rand -hex 16)"',
        "-H 'Content-Type: application/json'",
        String.raw`-d '{"text":"it'\''s"}'`,
      ].join(' \\\n  '),
    )
  })
})
