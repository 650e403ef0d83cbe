import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadConfig } from './bad-config.ts'
import { readConfig } from './config.ts'

const PRIMARY = 'postgresql://server@primary.internal/tallywork'
const [ONE, TWO] = [
  'postgresql://server@one.internal/tallywork',
  'postgresql://server@two.internal:5433/tallywork',
]

test('replicas are a list of servers of an external primary', () => {
  assert.deepEqual(readConfig({}).replicaUrls, [])
  assert.deepEqual(readConfig({ DATABASE_URL: PRIMARY, REPLICA_URL: `${ONE}, ${TWO},` }).replicaUrls, [
    ONE,
    TWO,
  ])
})

test('an invalid list is refused with a message that names the setting', () => {
  for (const [env, reason] of [
    [{ REPLICA_URL: ONE }, /^DATABASE_URL is missing: REPLICA_URL /],
    [{ DATABASE_URL: PRIMARY, REPLICA_URL: 'one.internal' }, /REPLICA_URL\.0: /],
    [{ DATABASE_URL: PRIMARY, REPLICA_URL: 'https://one.internal' }, /REPLICA_URL\.0: /],
    [
      { DATABASE_URL: PRIMARY, REPLICA_URL: `${ONE},${ONE}?ssl=1` },
      /^REPLICA_URL names one\.internal:5432 twice$/,
    ],
    [{ DATABASE_URL: PRIMARY, REPLICA_URL: PRIMARY }, /^REPLICA_URL is the same as DATABASE_URL$/],
  ] as const)
    assert.throws(
      () => readConfig(env),
      (error) => error instanceof BadConfig && reason.test(error.message),
    )
})
