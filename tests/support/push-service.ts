import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { importJWK, jwtVerify } from 'jose'
import type { PushSubscription } from '#contract/push-subscriptions.ts'

type Device = { curve: ECDH; secret: Buffer; received: Record<string, string>[] }

/**
 * A push service on this machine that speaks the protocol of browsers' services: it verifies the sender (RFC 8292) and
 * decrypts as the device would (RFC 8291). `status` sets the status of the next messages; by default 201.
 */
export async function startPushService() {
  const devices = new Map<string, Device>()
  const service = { status: 201 }
  const server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const device = devices.get(request.url ?? '')
      if (device === undefined) return response.writeHead(410).end()
      if (!(await isSigned(request.headers.authorization ?? '', origin))) return response.writeHead(403).end()
      if (service.status === 201) device.received.push(JSON.parse(decrypted(device, body)))
      return response.writeHead(service.status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    /** Makes a subscription of a new device, and returns what the device has received. */
    subscribe(): { subscription: PushSubscription; received: Record<string, string>[] } {
      const path = `/${randomUUID()}`
      const curve = createECDH('prime256v1')
      const p256dh = curve.generateKeys().toString('base64url')
      const device = { curve, secret: randomBytes(16), received: [] }
      devices.set(path, device)
      const keys = { p256dh, auth: device.secret.toString('base64url') }
      return { subscription: { endpoint: `${origin}${path}`, keys }, received: device.received }
    },
    /** The service forgets a subscription, as after its user removed it. */
    forget: ({ endpoint }: PushSubscription) => devices.delete(new URL(endpoint).pathname),
    set status(status: number) {
      service.status = status
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function isSigned(authorization: string, origin: string): Promise<boolean> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? []
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: base64url(point.subarray(1, 33)),
    y: base64url(point.subarray(33)),
  }
  const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), { audience: origin })
  return typeof payload.sub === 'string' && payload.sub.startsWith('mailto:')
}

function decrypted({ curve, secret }: Device, body: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + keyLength)
  const encrypted = body.subarray(21 + keyLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), senderKey])
  const input = Buffer.from(hkdfSync('sha256', curve.computeSecret(senderKey), secret, info, 32))
  const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12))
  const cipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(encrypted.subarray(-16))
  const padded = Buffer.concat([cipher.update(encrypted.subarray(0, -16)), cipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}

const base64url = (bytes: Buffer) => bytes.toString('base64url')
