import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** Derived once per configuration: each optional email signs its unsubscribe link. */
const derivedKeys = new WeakMap<Config, Map<string, Buffer>>()
/** Made once per key: from its bytes, each signature would take six times as long. */
const keyObjects = new WeakMap<Buffer, KeyObject>()

/**
 * Derives a 32-byte key for one purpose from AUTH_SECRET (HKDF). Without AUTH_SECRET, which production requires, the
 * secret is a file in the data directory, generated at the first start.
 */
export function keyFor(purpose: string, config: Config): Buffer {
  const keys = derivedKeys.get(config) ?? new Map<string, Buffer>()
  derivedKeys.set(config, keys)
  const known = keys.get(purpose)
  if (known !== undefined) return known
  const secret = config.authSecret ?? readOrCreateSecret(config.dataDir)
  const key = Buffer.from(hkdfSync('sha256', secret, '', `tallywork ${purpose}`, 32))
  keys.set(purpose, key)
  return key
}

/** Returns the signature of a text with the key of a purpose: HMAC-SHA256. */
export function signText(text: string, purpose: string, config: Config): Buffer {
  const bytes = keyFor(purpose, config)
  const key = keyObjects.get(bytes) ?? createSecretKey(bytes)
  keyObjects.set(bytes, key)
  return createHmac('sha256', key).update(text).digest()
}

/**
 * Encrypts a text for the database with AES-256-GCM. Returns nonce, tag and ciphertext. `context` names the record it
 * belongs to and is authenticated, so that a ciphertext copied to another record does not decrypt.
 */
export function encrypt(text: string, context: string, key: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Returns the decrypted text, or undefined for another key or context. */
export function decrypt(encrypted: Buffer, context: string, key: Buffer): string | undefined {
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12), { authTagLength: 16 })
    cipher.setAAD(Buffer.from(context)).setAuthTag(encrypted.subarray(12, 28))
    return cipher.update(encrypted.subarray(28), undefined, 'utf8') + cipher.final('utf8')
  } catch {
    return undefined
  }
}

function readOrCreateSecret(directory: string): string {
  const file = join(directory, 'auth-secret')
  const found = read(file)
  if (found !== undefined) return found
  mkdirSync(directory, { recursive: true })
  // Written to a draft and linked into place: one of two concurrent first starts wins, and no reader sees half a secret.
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  chmodSync(draft, 0o600)
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(file, 'utf8')
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
