const WORDS_MAX = 8

/** The words in what a person typed, in any script. */
export function wordsOf(typed: string): string[] {
  return (typed.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX)
}

/** What a person typed, as the text of a query for words that begin so; null when there is no word in it. */
export function searchWords(typed: string): string | null {
  const words = wordsOf(typed)
  return words.length === 0 ? null : words.map((word) => `${word}:*`).join(' & ')
}
