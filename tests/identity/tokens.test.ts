import assert from 'node:assert/strict'
import { createHmac, createPublicKey } from 'node:crypto'
import { describe, test } from 'node:test'
import { exportJWK, generateKeyPair, importPKCS8, type JWK, SignJWT } from 'jose'
import { decrypt, keyFor } from '#server/encryption.ts'
import { purgeExpiredIdentityRows } from '#server/identity/purge-expired.ts'
import { openSigningKeys } from '#server/identity/signing-keys.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { testConfig } from '#tests/support/factories.ts'
import { tokenOf, tokenStatus, useIdentity } from '#tests/support/identity.ts'

const json64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>

describe('forged and foreign ID tokens are refused', () => {
  const identity = useIdentity()

  /** A member with a good token, its parts, and a way to sign claims with any key under any header. */
  async function aToken() {
    const { visitor, token } = await identity.aMember()
    const [header, claims, signature = ''] = token.split('.')
    const signed = async (change: Record<string, unknown>, head: Record<string, unknown> = {}) => {
      const { privateKey } = await generateKeyPair('RS256')
      return new SignJWT({ ...decoded(claims), ...change })
        .setProtectedHeader({ ...decoded(header), ...head } as { alg: string })
        .sign(privateKey)
    }
    return { visitor, token, header: decoded(header), claims: decoded(claims), signature, signed }
  }

  /** Signs with the installation's real key, which no attacker has: only the claims are wrong then. */
  async function resigned(claims: Record<string, unknown>, head: Record<string, unknown> = {}) {
    const { rows } = await identity.database.pool.query<{ kid: string; private_encrypted: Buffer }>(
      'select kid, private_encrypted from signing_keys where retired_at is null',
    )
    const [row] = rows
    assert.ok(row)
    const pem = decrypt(row.private_encrypted, row.kid, keyFor('signing keys', identity.config))
    const key = await importPKCS8(pem ?? '', 'RS256')
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: row.kid, ...head })
      .sign(key)
  }

  test('a valid token, and the same claims signed again, are accepted', async () => {
    const { visitor, token, claims } = await aToken()
    assert.equal(await tokenStatus(visitor, token), 'ok')
    assert.equal(await tokenStatus(visitor, await resigned(claims)), 'ok')
  })

  test('alg none, in any spelling, with and without a signature', async () => {
    const { visitor, header, claims, signature } = await aToken()
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
      for (const end of ['', signature]) {
        const token = `${json64({ ...header, alg })}.${json64(claims)}.${end}`
        assert.equal(await tokenStatus(visitor, token), 'invalid_token')
      }
    }
  })

  test('algorithm confusion: the public key used as an HMAC secret', async () => {
    const { visitor, header, claims } = await aToken()
    const page = await visitor.once('/api/auth/jwks')
    const [jwk] = page.json<{ keys: JWK[] }>().keys
    const publicKey = createPublicKey({ key: jwk as never, format: 'jwk' })
    const secrets = [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(jwk),
    ]
    for (const secret of secrets) {
      const text = `${json64({ ...header, alg: 'HS256' })}.${json64(claims)}`
      const mac = createHmac('sha256', secret).update(text).digest('base64url')
      assert.equal(await tokenStatus(visitor, `${text}.${mac}`), 'invalid_token')
    }
  })

  test('another key under our key id, an unknown key id, and a key in the header', async () => {
    const { visitor, signed } = await aToken()
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = await exportJWK(publicKey)
    assert.equal(await tokenStatus(visitor, await signed({})), 'invalid_token')
    assert.equal(await tokenStatus(visitor, await signed({}, { kid: 'unknown' })), 'invalid_token')
    const { claims, header } = await aToken()
    for (const head of [{ jwk }, { jku: 'http://evil.example/jwks' }, { x5u: 'http://evil.example/x5u' }]) {
      const token = await new SignJWT(claims)
        .setProtectedHeader({ ...header, ...head } as never)
        .sign(privateKey)
      assert.equal(await tokenStatus(visitor, token), 'invalid_token')
    }
  })

  test('a wrong issuer, audience, type, time, subject or session, signed by our own key', async () => {
    const { visitor, claims } = await aToken()
    const past = Math.floor(Date.now() / 1000) - 1
    const wrong: Record<string, unknown>[] = [
      { iss: 'http://evil.example' },
      { iss: `${identity.config.publicUrl}/` },
      { iss: undefined },
      { aud: 'another-api' },
      { aud: undefined },
      { exp: past },
      { exp: undefined },
      { exp: '9999999999' },
      { nbf: past + 3600 },
      { sub: undefined },
      { sub: '' },
      { sub: "' or 1=1 --" },
      { sub: crypto.randomUUID() },
      { sid: undefined },
      { sid: 1 },
      { sid: crypto.randomUUID() },
    ]
    for (const change of wrong) {
      const token = await resigned({ ...claims, ...change })
      assert.equal(await tokenStatus(visitor, token), 'invalid_token', JSON.stringify(change))
    }
    for (const typ of ['at+jwt', 'logout+jwt', undefined]) {
      assert.equal(await tokenStatus(visitor, await resigned(claims, { typ })), 'invalid_token', `typ ${typ}`)
    }
    const critical = await resigned(claims, { crit: ['exp'] }).catch(() => '')
    assert.equal(await tokenStatus(visitor, critical), 'invalid_token')
  })

  test('another user’s session id with one’s own subject', async () => {
    const mine = await aToken()
    const theirs = await aToken()
    const token = await resigned({ ...mine.claims, sid: theirs.claims.sid })
    assert.equal(await tokenStatus(mine.visitor, token), 'invalid_token')
  })

  test('every altered character of a token is detected', async () => {
    const { visitor, token } = await aToken()
    for (let at = 0; at < token.length - 1; at += 37) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      assert.equal(await tokenStatus(visitor, changed), 'invalid_token')
    }
  })

  test('a token of another installation is refused, also under the same URL', async () => {
    const { visitor, claims } = await aToken()
    const secret = 'another secret of thirty-two characters'
    const keys = await openSigningKeys(identity.database, { ...identity.config, authSecret: secret })
    const token = await keys.sign(claims as never, new Date(Date.now() + 60_000))
    assert.equal(await tokenStatus(visitor, token), 'invalid_token')
    await identity.database.pool.query('delete from signing_keys where kid = $1', [
      decoded(token.split('.')[0]).kid,
    ])
  })

  test('a token’s claims never override the record', async () => {
    const { claims } = await aToken()
    assert.deepEqual(Object.keys(claims).toSorted(), [
      'aud',
      'email',
      'exp',
      'iat',
      'iss',
      'name',
      'sid',
      'sub',
    ])
  })
})

describe('the first signing key', () => {
  const db = useDatabase()
  const config = { ...testConfig, authSecret: 'a secret of at least thirty-two characters' }

  test('two instances that start at once share one key and accept each other’s tokens', async () => {
    const instances = await Promise.all([1, 2, 3].map(() => openSigningKeys(db.database, config)))
    const published = await Promise.all(instances.map((keys) => keys.jwks()))
    assert.deepEqual(
      published.map((keys) => keys.length),
      [1, 1, 1],
    )
    assert.equal(new Set(published.flat().map(({ kid }) => kid)).size, 1)
    assert.deepEqual(Object.keys(published[0]?.[0] ?? {}).toSorted(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })
})

describe('signing keys', () => {
  const identity = useIdentity()
  const kidOf = (token: string | null) => decoded(token?.split('.')[0]).kid

  test('the private key is encrypted, and the database alone cannot sign', async () => {
    const { rows } = await identity.database.pool.query<{ private_encrypted: Buffer }>(
      'select private_encrypted from signing_keys',
    )
    assert.doesNotMatch(rows[0]?.private_encrypted.toString('latin1') ?? '', /PRIVATE KEY/)
  })

  test('a key is rotated; its tokens stay valid until they expire, then it is deleted', async () => {
    const { visitor, token } = await identity.aMember()
    await identity.database.pool.query(`update signing_keys set created_at = now() - interval '31 days'`)
    const claims = decoded(token.split('.')[1]) as { sub: string; sid: string; email: string; name: string }
    const soon = new Date(Date.now() + 60_000)
    const noticed = await openSigningKeys(identity.database, identity.config)
    assert.equal((await noticed.jwks()).length, 2)
    assert.equal(kidOf(await noticed.sign(claims, soon)), kidOf(token)) // published first, used later

    await identity.database.pool.query(
      'update signing_keys set retired_at = now() where retired_at is not null',
    )
    const rotated = await openSigningKeys(identity.database, identity.config)
    const fresh = await rotated.sign(claims, soon)
    assert.notEqual(kidOf(fresh), kidOf(token))
    assert.equal((await rotated.verify(token)).sub, claims.sub)
    // An instance looks for a key that it does not know once a second.
    await eventually(async () => (await tokenStatus(visitor, fresh)) === 'ok')
    assert.equal(await tokenStatus(visitor, token), 'ok')

    await identity.database.pool.query(
      `update signing_keys set retired_at = now() - interval '2 hours' where retired_at is not null`,
    )
    const later = await openSigningKeys(identity.database, identity.config)
    await assert.rejects(later.verify(token))
    assert.equal(await purgeExpiredIdentityRows(identity.database), 1)
    assert.equal(kidOf(await tokenOf(visitor)), kidOf(fresh))
  })

  test('a key encrypted under another secret neither signs nor verifies, and is kept', async () => {
    const other = await openSigningKeys(identity.database, {
      ...identity.config,
      authSecret: 'another secret of thirty-two characters',
    })
    const mine = await openSigningKeys(identity.database, identity.config)
    const [theirs] = await other.jwks()
    assert.equal(
      (await mine.jwks()).some(({ kid }) => kid === theirs?.kid),
      false,
    )
  })
})
