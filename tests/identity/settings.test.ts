import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BadConfig, readConfig } from '#server/config.ts'
import { listProviders } from '#server/identity/providers.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://work.example',
  AUTH_SECRET: 'x'.repeat(32),
  MAIL: 'folder',
  CARD_PROVIDER: 'sandbox',
  ALLOW_SANDBOX: '1',
}
const GOOGLE = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
const OTHER = {
  OIDC_ISSUER: 'https://id.acme.example',
  OIDC_CLIENT_ID: 'id',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_LABEL: 'Acme',
}
const buttons = (env: NodeJS.ProcessEnv) =>
  listProviders(readConfig(env)).map(({ label, demonstration }) => label + (demonstration ? ' (demo)' : ''))

describe('the settings for signing in', () => {
  test('decide which buttons are shown', () => {
    assert.deepEqual(buttons({}), ['Google (demo)'])
    assert.deepEqual(buttons({ ...GOOGLE, ...OTHER }), ['Google', 'Acme'])
    assert.deepEqual(buttons(OTHER), ['Google (demo)', 'Acme'])
    assert.deepEqual(buttons(PRODUCTION), [])
    assert.deepEqual(buttons({ ...PRODUCTION, ...GOOGLE }), ['Google'])
    assert.deepEqual(buttons({ DEMO: '0' }), [])
  })

  const wrong: [string, NodeJS.ProcessEnv, RegExp][] = [
    ['half of Google', { GOOGLE_CLIENT_ID: 'id' }, /GOOGLE_CLIENT_SECRET missing/],
    [
      'an issuer without a client',
      { OIDC_ISSUER: 'https://x.example' },
      /OIDC_CLIENT_ID and OIDC_CLIENT_SECRET missing/,
    ],
    [
      'an issuer over http in production',
      { ...PRODUCTION, ...OTHER, OIDC_ISSUER: 'http://x.example' },
      /requires an https issuer/,
    ],
    ['an issuer that is no address', { ...OTHER, OIDC_ISSUER: 'acme' }, /OIDC_ISSUER/],
    ['production without a secret', { ...PRODUCTION, AUTH_SECRET: '' }, /AUTH_SECRET is missing/],
    ['a short secret', { AUTH_SECRET: 'short' }, /AUTH_SECRET/],
    ['something unknown to verify for', { VERIFY_FOR: 'sign-in,dance' }, /VERIFY_FOR/],
  ]
  for (const [what, env, said] of wrong) {
    test(`${what} stops the start with a message`, () => {
      assert.throws(
        () => readConfig(env),
        (error: Error) => error instanceof BadConfig && said.test(error.message),
      )
    })
  }

  test('a verified email is required to withdraw where mail is sent by SMTP, by default', () => {
    const mail = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'no-reply@acme.example' }
    assert.deepEqual([...readConfig({}).verifyFor], [])
    assert.deepEqual([...readConfig(mail).verifyFor], ['withdraw'])
    assert.deepEqual([...readConfig({ ...mail, VERIFY_FOR: 'nothing' }).verifyFor], ['nothing'])
    assert.deepEqual([...readConfig({ VERIFY_FOR: 'sign-in, post' }).verifyFor], ['sign-in', 'post'])
  })
})
