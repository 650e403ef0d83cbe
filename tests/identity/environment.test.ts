import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { BadConfig } from '#server/bad-config.ts'
import { readConfig } from '#server/config.ts'
import { listProviders } from '#server/identity/providers.ts'
import { RANDOM_SECRET } from '#tests/support/random-secret.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://work.example',
  AUTH_SECRET: RANDOM_SECRET,
  MAIL: 'folder',
  CARD_PROVIDER: 'sandbox',
  ALLOW_SANDBOX: '1',
}
const SEQUENCE = 'abcdefghijklmnopqrstuvwxyz0123456789'
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
    [
      'an issuer over HTTP in capitals',
      { ...PRODUCTION, ...OTHER, OIDC_ISSUER: 'HTTP://x.example' },
      /requires an https issuer/,
    ],
    ['an issuer that is no address', { ...OTHER, OIDC_ISSUER: 'acme' }, /OIDC_ISSUER/],
    ['production without a secret', { ...PRODUCTION, AUTH_SECRET: '' }, /AUTH_SECRET is missing/],
    ['a short secret', { AUTH_SECRET: 'short' }, /AUTH_SECRET/],
    ['a secret of one character', { ...PRODUCTION, AUTH_SECRET: 'x'.repeat(40) }, /AUTH_SECRET repeats/],
    ['a repeated secret', { ...PRODUCTION, AUTH_SECRET: 'k3Vp9_wQz7Lb'.repeat(4) }, /AUTH_SECRET repeats/],
    ['a sequence', { ...PRODUCTION, AUTH_SECRET: SEQUENCE }, /AUTH_SECRET repeats/],
    ['a copied secret', { ...PRODUCTION, AUTH_SECRET: `change-me-${RANDOM_SECRET}` }, /AUTH_SECRET contains/],
    ['a public http origin', { PUBLIC_URL: 'http://work.example' }, /PUBLIC_URL is http/],
    ['an http origin of the local network', { PUBLIC_URL: 'http://192.168.1.7:3000' }, /PUBLIC_URL is http/],
    ['a public origin without a secret', { PUBLIC_URL: 'https://work.example' }, /AUTH_SECRET is missing/],
    [
      'a public origin with the sandbox',
      { ...PRODUCTION, NODE_ENV: '', ALLOW_SANDBOX: '' },
      /ALLOW_SANDBOX=1/,
    ],
    ['a proxy with a netmask', { TRUST_PROXY: '10.0.0.0/255.0.0.0' }, /TRUST_PROXY.*CIDR.*10\.0\.0\.0\/8/],
    ['a proxy with too long a prefix', { TRUST_PROXY: 'loopback, 10.0.0.0/33' }, /TRUST_PROXY/],
    ['a proxy that is a host name', { TRUST_PROXY: 'proxy.example' }, /TRUST_PROXY/],
    ['something unknown to verify for', { VERIFY_FOR: 'sign-in,dance' }, /VERIFY_FOR/],
    [
      'nothing and something to verify for',
      { VERIFY_FOR: 'nothing,post' },
      /VERIFY_FOR: lists nothing together/,
    ],
    [
      'a key of a bucket without its URL',
      { IMAGES_BUCKET_KEY_ID: 'id', IMAGES_BUCKET_SECRET: 'secret' },
      /IMAGES_BUCKET_URL missing/,
    ],
    [
      'a bucket without its secret',
      { IMAGES_BUCKET_URL: 'https://s3.example/b', IMAGES_BUCKET_KEY_ID: 'id' },
      /IMAGES_BUCKET_SECRET missing/,
    ],
    [
      'the public URL of no bucket',
      { IMAGES_PUBLIC_URL: 'https://img.example' },
      /IMAGES_BUCKET_URL is missing/,
    ],
    ['the key of no image host', { IMAGES_HOST_KEY: 'key' }, /IMAGES_HOST_URL missing/],
  ]
  for (const [what, env, said] of wrong) {
    test(`${what} stops the start with a message`, () => {
      assert.throws(
        () => readConfig(env),
        (error: Error) => error instanceof BadConfig && said.test(error.message),
      )
    })
  }

  test('a blank setting is not set', () => {
    const { port, appealDays, holdingDays, drainSeconds } = readConfig({
      ...PRODUCTION,
      PORT: ' ',
      APPEAL_DAYS: ' ',
      HOLDING_DAYS: '\t',
      DRAIN_SECONDS: ' ',
    })
    assert.deepEqual([port, appealDays, holdingDays, drainSeconds], [3000, 7, 0, 5])
  })

  test('a public origin means production, whatever NODE_ENV says', () => {
    for (const NODE_ENV of ['', 'development', 'test']) {
      const config = readConfig({ ...PRODUCTION, NODE_ENV })
      assert.deepEqual([config.production, config.isDevelopment, config.demo], [true, false, false])
    }
    assert.equal(readConfig({ ...PRODUCTION, NODE_ENV: '', DEMO: '1' }).demo, true)
  })

  test('development parts exist only where no other machine can connect, the demo also by name', () => {
    const parts = (env: NodeJS.ProcessEnv) => {
      const { production, isDevelopment, demo } = readConfig(env)
      return { production, isDevelopment, demo }
    }
    const open = { production: false, isDevelopment: true, demo: true }
    for (const host of ['localhost', '127.0.0.1', '127.8.9.1', '[::1]', 'work.localhost'])
      assert.deepEqual(parts({ PUBLIC_URL: `http://${host}:3000` }), open, host)
    assert.deepEqual(parts({}), open)
    assert.deepEqual(parts({ HOST: '::1' }), open)
    for (const HOST of ['0.0.0.0', '::', '192.168.1.7']) {
      const closed = { production: false, isDevelopment: false, demo: false }
      assert.deepEqual(parts({ HOST }), closed, HOST)
      assert.deepEqual(parts({ HOST, DEMO: '1' }), { ...closed, demo: true }, HOST)
    }
    for (const host of ['localhost.example', '127.example', '0.0.0.0', '128.0.0.1'])
      assert.throws(() => readConfig({ PUBLIC_URL: `http://${host}:3000` }), /PUBLIC_URL is http/, host)
  })

  test('proxies are addresses, ranges in CIDR notation, and names of ranges', () => {
    const TRUST_PROXY = '127.0.0.1, 10.0.0.0/8, ::1, fd00::/8, uniquelocal'
    assert.deepEqual(readConfig({ TRUST_PROXY }).trustProxy, TRUST_PROXY.split(', '))
    assert.deepEqual(readConfig({ TRUST_PROXY: ' , ' }).trustProxy, [])
  })

  test('random secrets are accepted', () => {
    for (let round = 0; round < 2_000; round++) {
      for (const AUTH_SECRET of [randomBytes(16).toString('hex'), randomBytes(24).toString('base64')])
        assert.equal(readConfig({ ...PRODUCTION, AUTH_SECRET }).authSecret, AUTH_SECRET)
    }
  })

  test('a verified email is required to withdraw where mail is sent by SMTP, by default', () => {
    const mail = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'no-reply@acme.example' }
    assert.deepEqual([...readConfig({}).verifyFor], [])
    assert.deepEqual([...readConfig(mail).verifyFor], ['withdraw'])
    assert.deepEqual([...readConfig({ ...mail, VERIFY_FOR: 'nothing' }).verifyFor], ['nothing'])
    assert.deepEqual([...readConfig({ VERIFY_FOR: 'sign-in, post' }).verifyFor], ['sign-in', 'post'])
  })
})
