import assert from 'node:assert/strict'

type Text = string | ((...parameters: never[]) => string)
export type Catalogue = Record<string, Text>

/** Words in Latin letters that Bangla texts keep: products, formats, and names of the API. */
const KEPT = new Set(
  'API CSV HTTP Gone Google IP JPEG JSON MB PDF PNG SHA URL UTF bKash Nagad Rocket Idempotency Key application json http https true false null'.split(
    ' ',
  ),
)

/** Values of parameters by their name, where a number is not enough. */
const VALUES: Record<string, unknown> = { roles: ['Buyer'], later: [], setting: 'x' }

/** Returns the text with a different number for each parameter, and the names of the parameters it read. */
function rendered(text: Text, values: Record<string, unknown>): { words: string; read: string[] } {
  if (typeof text === 'string') return { words: text, read: [] }
  const read = new Set<string>()
  const parameters = new Proxy(values, {
    get(known, name: string) {
      read.add(name)
      if (name in known) return known[name]
      if (name in VALUES) return VALUES[name]
      return 1000 + name.length
    },
  })
  return { words: text(parameters as never), read: [...read].toSorted() }
}

/** Checks that two catalogues have the same keys and parameters, and that the second one has no English words. */
export function assertTranslated(
  english: Catalogue,
  bangla: Catalogue,
  valuesOf: (key: string) => Record<string, unknown>,
) {
  assert.deepEqual(Object.keys(bangla).toSorted(), Object.keys(english).toSorted())
  for (const [key, text] of Object.entries(english)) {
    const values = valuesOf(key)
    const { words, read } = rendered(bangla[key] ?? '', values)
    assert.deepEqual(read, rendered(text, values).read, `${key} uses other parameters in Bangla`)
    assertBangla(key, words)
  }
}

/** Checks that a text is Bangla: no Latin word but those that are kept, and no placeholder that was not filled. */
export function assertBangla(key: string, text: string): void {
  const words = (text.match(/[A-Za-z]{2,}/g) ?? []).filter((word) => !KEPT.has(word))
  assert.deepEqual(words, [], `${key} has English words: ${text}`)
  assert.doesNotMatch(text, /undefined|NaN|\{|\}/, `${key}: ${text}`)
}
