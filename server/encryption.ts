import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/**
 * A key of 32 bytes for one purpose, made of AUTH_SECRET. Without one (never in production, the configuration sees
 * to that) the secret is a file in the data folder, made at the first start.
 */
export function keyFor(purpose: string, config: Config): Buffer {
  const secret = config.authSecret ?? secretIn(config.dataDir)
  return Buffer.from(hkdfSync('sha256', secret, '', `tallywork ${purpose}`, 32))
}

/**
 * Encrypts for the database: AES-256-GCM, as nonce, tag, text. `about` names what it belongs to and is bound in, so
 * that a sealed text says nothing in another place.
 */
export function encrypt(text: string, about: string, key: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** What was sealed, or undefined when this key did not seal it, or not about this. */
export function decrypt(sealed: Buffer, about: string, key: Buffer): string | undefined {
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
    cipher.setAAD(Buffer.from(about)).setAuthTag(sealed.subarray(12, 28))
    return cipher.update(sealed.subarray(28), undefined, 'utf8') + cipher.final('utf8')
  } catch {
    return undefined
  }
}

function secretIn(folder: string): string {
  const file = join(folder, 'auth-secret')
  const found = read(file)
  if (found !== undefined) return found
  mkdirSync(folder, { recursive: true })
  // Written aside and linked into place, so that of two first starts one wins and nobody reads half a secret.
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(aside, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  chmodSync(aside, 0o600)
  try {
    linkSync(aside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
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
