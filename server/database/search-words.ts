const WORDS_MAX = 8

/** Returns the words of a search text, in any script, at most eight. */
export function wordsOf(text: string): string[] {
  return (text.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX)
}

/** Returns whether a search text has characters but no word: it finds nothing, where an empty one does not limit a list. */
export function hasNoWord(text: string): boolean {
  return text.trim() !== '' && wordsOf(text).length === 0
}

/** Returns a tsquery that matches every word as a prefix, or null when the text has no word. */
export function searchWords(text: string): string | null {
  const words = wordsOf(text)
  return words.length === 0 ? null : words.map((word) => `${word}:*`).join(' & ')
}
