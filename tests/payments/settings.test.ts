import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BadConfig } from '#server/bad-config.ts'
import { readConfig } from '#server/config.ts'
import { createProvider } from '#server/payments/create-provider.ts'
import { findOrCreatePurchase } from '#server/payments/queries.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer } from '#tests/support/factories.ts'
import { RANDOM_SECRET } from '#tests/support/random-secret.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://work.example',
  AUTH_SECRET: RANDOM_SECRET,
  MAIL: 'folder',
}
const TEST_KEYS = {
  CARD_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}
const LIVE_KEYS = { ...TEST_KEYS, STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }

describe('the settings for card payments', () => {
  const db = useDatabase()

  const accepted: [string, NodeJS.ProcessEnv, string][] = [
    ['a fresh clone without any settings', {}, 'sandbox'],
    ['development', { NODE_ENV: 'development' }, 'sandbox'],
    [
      'production with the sandbox asked for by name',
      { ...PRODUCTION, CARD_PROVIDER: 'sandbox', ALLOW_SANDBOX: '1' },
      'sandbox',
    ],
    ['development with test keys', TEST_KEYS, 'test'],
    ['a statement suffix', { ...TEST_KEYS, STRIPE_STATEMENT_SUFFIX: 'TALLYWORK COINS' }, 'test'],
    ['production with live keys', { ...PRODUCTION, ...LIVE_KEYS }, 'live'],
    [
      'production with test keys asked for by name',
      { ...PRODUCTION, ...TEST_KEYS, ALLOW_SANDBOX: '1' },
      'test',
    ],
  ]
  for (const [what, env, mode] of accepted) {
    test(`${what}: ${mode}`, () => assert.equal(readConfig(env).card.mode, mode))
  }

  const refused: [string, NodeJS.ProcessEnv, RegExp][] = [
    ['production without a provider', PRODUCTION, /CARD_PROVIDER is missing/],
    ['keys without a provider', { STRIPE_SECRET_KEY: 'sk_test_1' }, /CARD_PROVIDER is missing/],
    ['the sandbox in production', { ...PRODUCTION, CARD_PROVIDER: 'sandbox' }, /ALLOW_SANDBOX=1/],
    ['the permission without the name', { ...PRODUCTION, ALLOW_SANDBOX: '1' }, /CARD_PROVIDER is missing/],
    [
      'the sandbox beside a live key',
      { CARD_PROVIDER: 'sandbox', STRIPE_SECRET_KEY: 'sk_live_1' },
      /live key/,
    ],
    ['Stripe without keys', { CARD_PROVIDER: 'stripe' }, /STRIPE_SECRET_KEY/],
    [
      'a publishable key as the secret one',
      { ...TEST_KEYS, STRIPE_SECRET_KEY: 'pk_test_1' },
      /STRIPE_SECRET_KEY/,
    ],
    ['no publishable key', { ...TEST_KEYS, STRIPE_PUBLISHABLE_KEY: '' }, /STRIPE_PUBLISHABLE_KEY/],
    ['a blank webhook secret', { ...TEST_KEYS, STRIPE_WEBHOOK_SECRET: '  ' }, /STRIPE_WEBHOOK_SECRET/],
    ['keys of two modes', { ...TEST_KEYS, STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }, /one is a test key/],
    ['live keys in development', LIVE_KEYS, /requires NODE_ENV=production/],
    ['test keys in production', { ...PRODUCTION, ...TEST_KEYS }, /ALLOW_SANDBOX=1/],
    [
      'a statement suffix that Stripe refuses',
      { ...TEST_KEYS, STRIPE_STATEMENT_SUFFIX: 'COINS*' },
      /STRIPE_STATEMENT_SUFFIX/,
    ],
    ['a statement suffix without a letter', { ...TEST_KEYS, STRIPE_STATEMENT_SUFFIX: '15' }, /with a letter/],
    [
      'another host in production',
      { ...PRODUCTION, ...LIVE_KEYS, STRIPE_API_HOST: 'http://localhost:1' },
      /only for tests/,
    ],
  ]
  for (const [what, env, reason] of refused) {
    test(`${what}: refused, and no key is printed`, () =>
      assert.throws(
        () => readConfig(env),
        (error) =>
          error instanceof BadConfig &&
          reason.test(error.message) &&
          !/[spw][a-z]+_(test_|live_)?1/.test(error.message),
      ))
  }

  test('a database with payments of one mode refuses another mode', async () => {
    const { database } = db
    await createProvider(database, readConfig(TEST_KEYS))
    await createProvider(database, readConfig({}))
    const buyer = await aBuyer(database)
    await findOrCreatePurchase(database, buyer.id, buyer.id, 150, 1000, 'sandbox', null)
    await createProvider(database, readConfig({}))
    await assert.rejects(
      createProvider(database, readConfig(TEST_KEYS)),
      /contains payments of the mode "sandbox"/,
    )
  })
})
