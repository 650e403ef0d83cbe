import { createECDH } from 'node:crypto'
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
