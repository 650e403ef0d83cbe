import { createECDH, ECDH } from 'node:crypto'
import type { Config } from '#server/config.ts'
import { keyFor } from '#server/encryption.ts'

/**
 * Returns the key pair that identifies this installation to push services (VAPID, RFC 8292), in base64url. It is derived
 * from AUTH_SECRET; with another one, browsers subscribe again.
 */
export function pushKeys(config: Config): { publicKey: string; privateKey: string } {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(keyFor('web push', config))
  return {
    publicKey: curve.getPublicKey().toString('base64url'),
    privateKey: curve.getPrivateKey().toString('base64url'),
  }
}

/** Returns whether a device's key in base64url is a point of the curve P-256: nothing can be encrypted for another. */
export function isPublicKey(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}
