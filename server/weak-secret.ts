const LENGTH_MIN = 32
/** 80 bits cannot be guessed. 32 random hexadecimal digits have about 110 by this estimate. */
const ENTROPY_BITS_MIN = 80
/** Secrets copied from an example usually contain one of these. A random secret practically never does. */
const PLACEHOLDER = /secret|password|change.?me|example|replace.?me|tallywork|qwerty|letmein/i

/**
 * Returns why a secret could be guessed, or undefined. The estimate counts log2 of the number of different characters for
 * each character that repeats nothing: a character that ends a sequence of three seen before, or continues with equal steps
 * ("aaa", "abc"), counts nothing.
 */
export function weaknessOf(secret: string): string | undefined {
  if (secret.length < LENGTH_MIN) return `has fewer than ${LENGTH_MIN} characters`
  if (PLACEHOLDER.test(secret)) return 'contains a word of an example'
  if (entropyBits(secret) < ENTROPY_BITS_MIN) return 'repeats itself or uses few different characters'
  return undefined
}

function entropyBits(secret: string): number {
  const seen = new Set<string>()
  let fresh = 2
  for (let index = 2; index < secret.length; index++) {
    const triple = secret.slice(index - 2, index + 1)
    const [a = 0, b = 0, c = 0] = Array.from(triple, (character) => character.charCodeAt(0))
    if (!seen.has(triple) && b - a !== c - b) fresh++
    seen.add(triple)
  }
  return fresh * Math.log2(new Set(secret).size)
}
