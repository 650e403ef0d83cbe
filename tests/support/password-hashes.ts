import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** The least that argon2 takes. */
const CHEAP = { memory: 8, passes: 1 }
/** The least that OWASP recommends. */
const REQUIRED = { memory: 19_456, passes: 2 }

const { argon2 } = crypto
let made = 0

/**
 * Lets hashes of passwords cost next to nothing in this process: one takes 39 ms of processor time, more than most tests. Fails when the
 * server asks for a hash that is cheaper than it may be. Servers in processes of their own make real ones.
 */
export function cheapenPasswordHashes(): void {
  crypto.argon2 = (algorithm, parameters, callback) => {
    assert.equal(algorithm, 'argon2id')
    assert.ok(parameters.memory >= REQUIRED.memory && parameters.passes >= REQUIRED.passes)
    made++
    argon2(algorithm, { ...parameters, ...CHEAP }, callback)
  }
  syncBuiltinESMExports()
}

/** Returns how many hashes were made since they are cheap. */
export const hashesMade = () => made
