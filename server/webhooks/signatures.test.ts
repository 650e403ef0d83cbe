import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { approveSubmission } from '#server/submissions/approve.ts'
import type { Received } from '#tests/support/webhook-receiver.ts'
import { ENDPOINTS_PATH, useWebhooks } from '#tests/support/webhooks.ts'

/** The function that the guide shows. */
const [, PYTHON_OF_GUIDE = ''] =
  /```\n(import base64.*?)```/s.exec(
    readFileSync(new URL('../api-docs/guides/webhooks.md', import.meta.url), 'utf8'),
  ) ?? []

describe('signatures of webhooks', () => {
  const webhooks = useWebhooks()
  const { api, deliver, aBuyerWithWork } = webhooks

  const verifiesElsewhere = [verifyWithPython, verifyWithOpenssl].filter(
    (verify) => verify(null, '') !== undefined,
  )
  test('signatures are verified by standardwebhooks and in another language, during a rotation too', {
    skip: verifiesElsewhere.length === 0 && 'neither python3 nor openssl is installed',
  }, async () => {
    const { buyer, endpoint, submissions, id } = await aBuyerWithWork(2)
    const verify = (received: Received | undefined, secret: string) => {
      assert.ok(received)
      for (const inAnotherLanguage of verifiesElsewhere)
        assert.equal(inAnotherLanguage(received, secret), true, inAnotherLanguage.name)
      const event = new Webhook(secret).verify(received.body, received.headers as Record<string, string>)
      assert.equal((event as { id: string }).id, received.headers['webhook-id'])
    }
    const refuse = (received: Received | undefined, secret: string) => {
      assert.ok(received)
      for (const inAnotherLanguage of verifiesElsewhere)
        assert.equal(inAnotherLanguage(received, secret), false, inAnotherLanguage.name)
      assert.throws(() =>
        new Webhook(secret).verify(received.body, received.headers as Record<string, string>),
      )
    }
    await deliver(id)
    verify(webhooks.receiver.received[0], endpoint.secret)
    verify(webhooks.receiver.received[1], endpoint.secret)

    const rotated = await api.as(buyer).post(`${ENDPOINTS_PATH}/${id}/rotate`)
    assert.notEqual(rotated.body.secret, endpoint.secret)
    await approveSubmission(api.database, submissions[0] ?? '', buyer.id)
    await deliver(id)
    verify(webhooks.receiver.received[2], endpoint.secret)
    verify(webhooks.receiver.received[2], rotated.body.secret)

    await api.owner.query(`update webhook_endpoints set previous_until = now() where id = $1`, [id])
    await approveSubmission(api.database, submissions[1] ?? '', buyer.id)
    await deliver(id)
    verify(webhooks.receiver.received[3], rotated.body.secret)
    refuse(webhooks.receiver.received[3], endpoint.secret)
    const [tampered] = webhooks.receiver.received
    refuse(tampered && { ...tampered, body: tampered.body.replace('10', '99') }, endpoint.secret)
  })
})

/** Returns whether the function in Python that the guide shows verifies the signature, or undefined where there is no Python. */
function verifyWithPython(received: Received | null, secret: string): boolean | undefined {
  const program = `${PYTHON_OF_GUIDE}
import sys
given = json.load(sys.stdin)
try:
    print(verify(given['body'], given['headers'])['id'] == given['headers']['webhook-id'])
except ValueError:
    print(False)`
  if (received === null) return spawnSync('python3', ['-c', 'import hmac']).status === 0 ? true : undefined
  const { stdout, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify({ body: received.body, headers: received.headers }),
    env: { ...process.env, WEBHOOK_SECRET: secret },
    encoding: 'utf8',
  })
  assert.match(stdout, /^(True|False)\n$/, stderr)
  return stdout === 'True\n'
}

/** Returns whether openssl computes one of the signatures, or undefined where there is no openssl. */
function verifyWithOpenssl(received: Received | null, secret: string): boolean | undefined {
  if (received === null) return spawnSync('openssl', ['version']).status === 0 ? true : undefined
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex')
  const { headers, body } = received
  const input = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const arguments_ = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary']
  const { stdout } = spawnSync('openssl', arguments_, { input })
  return String(headers['webhook-signature'])
    .split(' ')
    .includes(`v1,${stdout.toString('base64')}`)
}
