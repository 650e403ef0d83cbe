import { createHash, randomBytes } from 'node:crypto'

/** Returns a new secret of 256 bits. The database stores only its hash. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the hash under which the database stores a secret. It needs no salt: secrets are random. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
