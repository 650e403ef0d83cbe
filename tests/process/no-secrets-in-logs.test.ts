import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startServerProcess } from '#tests/support/server-process.ts'

/** Nothing listens there: every request of the server fails and is logged. */
const DEAD = '127.0.0.1:9'
const SETTINGS = {
  AUTH_SECRET: 'auth-secret-0123456789abcdef0123456789',
  METRICS_TOKEN: 'metrics-token-0123456789',
  STRIPE_SECRET_KEY: 'sk_test_0123456789secret',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789secret',
  OIDC_CLIENT_SECRET: 'oidc-client-secret-0123456789',
  GOOGLE_CLIENT_SECRET: 'google-client-secret-0123456789',
  IMAGES_HOST_KEY: 'images-host-key-0123456789',
}
const SMTP_PASSWORD = 'smtp-password-0123456789'
const PASSWORD = 'Sesame!the-password'

describe('the log', () => {
  const db = useDatabase()

  test('contains no password, token, cookie, key or code, even at the trace level', async () => {
    const server = await startServerProcess({
      env: {
        ...SETTINGS,
        DATABASE_URL: db.url,
        LOG_LEVEL: 'trace',
        DEMO: '0',
        CARD_PROVIDER: 'stripe',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789',
        STRIPE_API_HOST: `http://${DEAD}`,
        OIDC_ISSUER: `http://${DEAD}`,
        OIDC_CLIENT_ID: 'tallywork',
        GOOGLE_CLIENT_ID: 'tallywork',
        SMTP_URL: `smtp://mailer:${SMTP_PASSWORD}@${DEAD}`,
        MAIL_FROM: 'no-reply@example.com',
        IMAGES_HOST_URL: `http://${DEAD}/1/upload`,
      },
    })
    const secrets = new Map<string, string>(Object.entries(SETTINGS))
    secrets.set('the SMTP password', SMTP_PASSWORD)
    secrets.set('the password', PASSWORD)
    secrets.set('the new password', `${PASSWORD}2`)
    let cookie = ''
    const ask = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const response = await fetch(server.url + path, {
        method,
        redirect: 'manual',
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), cookie, ...headers },
        ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      })
      for (const line of response.headers.getSetCookie()) {
        const value = /^[^=]+=([^;]{16,})/.exec(line)?.[1]
        if (value !== undefined) secrets.set(`a cookie of ${path}`, value)
      }
      return response
    }

    try {
      const email = 'ruma@example.com'
      const signedUp = await ask('POST', '/api/auth/sign-up', { name: 'Ruma', email, password: PASSWORD })
      assert.equal(signedUp.status, 201)
      cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const { token } = (await (await ask('POST', '/api/auth/token')).json()) as { token: string }
      secrets.set('the ID token', token)
      const authorization = `Bearer ${token}`
      assert.equal(
        (await ask('POST', '/api/user-data', { email, role: 'Buyer' }, { authorization })).status,
        200,
      )
      assert.ok(
        (await ask('POST', '/api/create-payment-intent', { price: 10 }, { authorization })).status >= 500,
      )

      await ask('POST', '/api/auth/sign-in', { email, password: `${PASSWORD}2` })
      await ask('POST', '/api/auth/sign-in', `{"email":"${email}","password":"${PASSWORD}"`)
      await ask('POST', '/api/auth/request-reset', { email })
      secrets.set('a reset token', 'reset-token-0123456789-0123456789-012345678')
      await ask('POST', '/api/auth/reset', { token: secrets.get('a reset token'), password: `${PASSWORD}2` })
      await ask(
        'POST',
        '/api/auth/change-password',
        { currentPassword: PASSWORD, password: `${PASSWORD}2` },
        { authorization },
      )
      secrets.set('a code of a sign-in service', 'the-code-0123456789')
      await ask('GET', `/api/auth/oidc/oidc/callback?code=the-code-0123456789&state=x`)
      for (const id of ['oidc', 'google']) await ask('GET', `/api/auth/oidc/${id}/start`)
      secrets.set('a link that ends mails', 'unsubscribe-0123456789')
      await ask('GET', '/unsubscribe?token=unsubscribe-0123456789')
      await ask('GET', '/metrics', undefined, { authorization: `Bearer ${SETTINGS.METRICS_TOKEN}` })
      await ask(
        'POST',
        '/api/webhooks/card',
        { id: 'evt_1' },
        { 'stripe-signature': 't=1,v1=signature-0123456789' },
      )
      const form = new FormData()
      const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      form.set('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'a.png')
      await fetch(`${server.url}/api/images`, { method: 'POST', body: form, headers: { authorization } })

      const code = /\/setup#code=([\w-]+)/.exec(server.output)?.[1] ?? ''
      assert.ok(code.length > 20)
      await ask('POST', '/api/setup', { code, name: 'Ruma', email: 'admin@example.com', password: 'short' })
      await ask('POST', '/api/setup-admin', {
        code,
        name: 'Ruma',
        email: 'admin@example.com',
        password: 'short',
      })
      await eventually(() => /a mail could not be sent/.test(server.output))

      assert.ok(/request completed/.test(server.output) && /ECONNREFUSED/.test(server.output))
      for (const [what, secret] of secrets)
        assert.ok(
          !server.output.includes(secret),
          `The log contains ${what}: ${lineWith(server.output, secret)}`,
        )
      assert.equal(server.output.split(code).length - 1, 1, 'the setup code is printed once')
    } finally {
      await server.stop()
    }
  })
})

function lineWith(output: string, text: string): string {
  return output.split('\n').find((line) => line.includes(text)) ?? ''
}
