import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { limitHashing } from './concurrency-limits.ts'

const MEMORY_KIB = 19_456
const PASSES = 2
const TAG_BYTES = 32
const SALT_BYTES = 16

/** Returns the argon2id hash of a password in PHC form. @throws Refusal `unavailable` when too many requests wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await limitHashing(() => tagOf(password, salt))
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${base64(salt)}$${base64(tag)}`
}

/**
 * Returns whether the password matches the hash. Without a hash (unknown email, or an identity without a password) it
 * takes the same time and returns false. @throws Refusal `unavailable` when too many requests wait.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [, , , , salt = '', expected = ''] = (hash ?? DUMMY_HASH).split('$')
  const tag = await limitHashing(() => tagOf(password, Buffer.from(salt, 'base64')))
  return timingSafeEqual(tag, Buffer.from(expected, 'base64')) && hash !== null
}

/** Hashes a password, normalised to NFKC so that it matches when it is typed on another keyboard. */
function tagOf(password: string, salt: Buffer): Promise<Buffer> {
  const message = password.normalize('NFKC')
  return promisify(argon2)('argon2id', {
    message,
    nonce: salt,
    parallelism: 1,
    tagLength: TAG_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  })
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

const DUMMY_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(TAG_BYTES))}`
