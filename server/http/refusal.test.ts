import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { STATUS_OF } from '#contract/errors.ts'
import { REFUSAL_TEXTS } from '#contract/refusals.en.ts'
import { useDatabase } from '#tests/support/database.ts'
import { asRefusal } from './errors.ts'
import { nullIfRefused, Refusal } from './refusal.ts'

const SERVER = join(import.meta.dirname, '..')

test('every refusal of the SQL functions and of the server is in the catalogue, and the other way round', async () => {
  const used = new Set<string>()
  let source = ''
  for await (const path of glob('**/*.{sql,ts}', { cwd: SERVER })) {
    if (path.startsWith('database/migrations/') || path.endsWith('.test.ts')) continue
    const text = await readFile(join(SERVER, path), 'utf8')
    if (path.endsWith('.sql')) for (const [, key = ''] of text.matchAll(/refuse\('([^']+)'/g)) used.add(key)
    source += text
  }
  assert.ok(used.size > 10)
  for (const key of used) assert.ok(key in REFUSAL_TEXTS, `${key} has no sentence`)
  for (const key of Object.keys(REFUSAL_TEXTS)) {
    assert.ok((key.split('.')[0] ?? '') in STATUS_OF, `${key} has no status`)
    const composed = /^invalid_(fields|request)\.(several|validation)$/.test(key)
    assert.ok(composed || source.includes(`'${key}'`), `${key} is used nowhere`)
  }
})

describe('a refusal from SQL', () => {
  const db = useDatabase()
  const refusalOf = (sql: string) =>
    db.database.pool.query(sql).then(() => assert.fail('no refusal'), asRefusal)

  test('has the code and the sentence of its key', async () => {
    const { code, message } = await refusalOf(`select refuse('task_changed.reward', '{"reward": 1}')`)
    assert.deepEqual([code, message], ['task_changed', 'This task pays 1 coin. Check it before you submit.'])
    assert.equal((await refusalOf(`select refuse('own_task')`)).code, 'own_task')
  })

  test('is an internal failure when the catalogue does not have it', async () => {
    for (const key of ['unknown', 'task_changed.other', 'toString'])
      assert.equal((await refusalOf(`select refuse('${key}')`)).code, 'internal')
  })
})

describe('nullIfRefused', () => {
  const missing = () => Promise.reject(new Refusal('payment_not_found'))

  test('returns null for a refusal with the code, or with any without one', async () => {
    assert.equal(await nullIfRefused(missing(), 'payment_not_found'), null)
    assert.equal(await nullIfRefused(missing()), null)
    assert.equal(await nullIfRefused(Promise.resolve(1), 'payment_not_found'), 1)
  })

  test('throws other refusals and errors', async () => {
    await assert.rejects(nullIfRefused(missing(), 'task_not_found'), Refusal)
    await assert.rejects(nullIfRefused(Promise.reject(new TypeError('bug'))), TypeError)
  })
})
