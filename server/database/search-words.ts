const WORDS_MAX = 8

/** The Bangla letters ড়, ঢ় and য় as one code point, which many keyboards type. Every normal form has two code points. */
const COMPOSED = ['\u09dc', '\u09dd', '\u09df']

/** In the C locale, which the embedded database has, an opening quotation mark is a part of the word that it stands before. */
const OPENING_QUOTES = ['“', '‘', '„', '«']

/**
 * Returns the words of a search text as they are typed, in any script, at most eight. Joiners and other invisible
 * characters inside a word belong to it, as in the words that PostgreSQL finds in a text.
 */
export function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{M}\p{N}]+(?:\p{Cf}+[\p{L}\p{M}\p{N}]+)*/gu) ?? []).slice(0, WORDS_MAX)
}

/**
 * Returns the sequences of code points in which keyboards type a text. Texts are stored and indexed as they were typed, so
 * a search looks for each: normal forms in the index would need all tasks and users rewritten, and their texts would not
 * be the ones that were sent.
 */
export function spellingsOf(text: string): string[] {
  const normal = text.normalize('NFC')
  const composed = COMPOSED.reduce((form, letter) => form.replaceAll(letter.normalize('NFC'), letter), normal)
  return [...new Set([text, normal, composed, text.normalize('NFD')])]
}

/** Returns the sequences of code points with which a word may begin in the index: its spellings, also in quotation marks. */
export function indexedSpellingsOf(word: string): string[] {
  return ['', ...OPENING_QUOTES].flatMap((quote) => spellingsOf(word).map((spelling) => quote + spelling))
}

/** Returns whether a search text has characters but no word: it finds nothing, where an empty one does not limit a list. */
export function hasNoWord(text: string): boolean {
  return text.trim() !== '' && wordsOf(text).length === 0
}

/** Returns a tsquery that matches every word as a prefix, or null when the text has no word. */
export function searchWords(text: string): string | null {
  const words = wordsOf(text).map((word) => indexedSpellingsOf(word).map((spelling) => `${spelling}:*`))
  return words.length === 0 ? null : words.map((spellings) => `(${spellings.join(' | ')})`).join(' & ')
}
