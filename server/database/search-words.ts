const WORDS_MAX = 8

/** What a person typed, as a query for words that begin so, in any script; null when there is no word in it. */
export function searchWords(typed: string): string | null {
  const words = typed.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.length === 0
    ? null
    : words
        .slice(0, WORDS_MAX)
        .map((word) => `${word}:*`)
        .join(' & ')
}
