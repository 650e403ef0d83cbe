import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { rawTextsOf } from './raw-texts.ts'

const config = getConfig()
const NO_COMPONENTS = [
  '**/*.test.{ts,tsx}',
  ...[config.sourceLocale, ...config.locales].map((locale) => `**/*.${locale}.ts`),
  'web/content/**',
  'web/service-worker/**',
  'web/testing/**',
]
/** The documentation of the API is in English only (docs/decisions/0070-api-documentation.md). */
const ENGLISH_ONLY = 'contract/error-guide.en.ts'

const catalogs = await getCatalogs(config)
const extracted = await Promise.all(catalogs.map((catalog) => catalog.collect()))

for (const locale of config.locales) {
  const translated = await Promise.all(catalogs.map(async (catalog) => (await catalog.read(locale)) ?? {}))

  test(`the catalogues of ${locale} have the messages of the screens and no others`, () => {
    const differences = catalogs.flatMap(({ path }, index) => {
      const inSources = Object.keys(extracted[index] ?? {})
      const inCatalogue = Object.entries(translated[index] ?? {}).filter(([, { obsolete }]) => !obsolete)
      const known = new Map(inCatalogue)
      const missing = inSources.filter((id) => !known.has(id))
      const unused = [...known.keys()].filter((id) => extracted[index]?.[id] === undefined)
      return [
        ...missing.map((id) => `${path} lacks "${extracted[index]?.[id]?.message}"`),
        ...unused.map((id) => `${path} has "${known.get(id)?.message}", which no screen shows`),
      ]
    })
    assert.deepEqual(differences, [], 'run npm run translations')
  })

  test(`every message is translated to ${locale}, with the same placeholders and elements`, () => {
    const faults = translated.flatMap((messages) =>
      Object.entries(messages).flatMap(([id, { message = '', translation = '' }]) => {
        if (translation === '') return [`"${message}" is not translated`]
        const isSame = partsOf(id, message) === partsOf(id, translation)
        return isSame ? [] : [`"${message}" has other placeholders than "${translation}"`]
      }),
    )
    assert.deepEqual(faults, [])
  })

  test(`texts of ${locale} for one have their number where they are also those for none`, () => {
    if (new Intl.PluralRules(locale).select(0) !== 'one') return
    const texts = translated.flatMap((messages) =>
      Object.values(messages).flatMap(({ translation = '' }) =>
        Array.from(translation.matchAll(/\bone \{([^{}]*)\}/g), ([, text = '']) => text),
      ),
    )
    assert.deepEqual(
      texts.filter((text) => !text.includes('#')),
      [],
    )
  })
}

// The build of the web app takes the English file where a language has none, without a word.
test('a catalogue in TypeScript and a default text have a sibling in each language, which exports the same', async () => {
  const files = await Array.fromAsync(
    glob('{contract,server,web}/**/{*.,}en.{ts,txt}', { exclude: [ENGLISH_ONLY] }),
  )
  assert.ok(files.length > 20)
  const siblings = files.flatMap((english) =>
    config.locales.map((locale) => ({ english, sibling: english.replace(/\ben(?=\.\w+$)/, locale) })),
  )
  assert.deepEqual(
    siblings.map(({ sibling }) => sibling).filter((sibling) => !existsSync(sibling)),
    [],
  )
  // Those of the server also export what both languages share.
  for (const { english, sibling } of siblings.filter((pair) => /^(?:contract|web)\//.test(pair.english))) {
    const [names, translated] = await Promise.all(
      [english, sibling].map(async (file) => Object.keys(await import(resolve(file)))),
    )
    assert.deepEqual(translated, names, sibling)
  }
})

test('components have no texts outside of messages', async () => {
  const files = await Array.fromAsync(glob('web/**/*.{ts,tsx}', { exclude: NO_COMPONENTS }))
  const found = files.toSorted().flatMap((file) => rawTextsOf(file, readFileSync(file, 'utf8')))
  assert.deepEqual(found, [])
})

/** Returns the placeholders and the elements of a message, in no order. */
function partsOf(id: string, message: string): string {
  const { source, errors } = createCompiledCatalog('en', { [id]: message }, { namespace: 'json' })
  if (errors.length > 0) return `invalid: ${message}`
  const parts = new Set<string>()
  collect(JSON.parse(source).messages[id], parts)
  return [...parts].toSorted().join(' ')
}

function collect(token: unknown, parts: Set<string>): void {
  if (typeof token === 'string') for (const [element] of token.matchAll(/<\/?\w+\/?>/g)) parts.add(element)
  if (!Array.isArray(token)) return
  for (const part of token) {
    if (!Array.isArray(part)) {
      collect(part, parts)
      continue
    }
    const [name, , cases] = part as [string, string?, Record<string, unknown>?]
    parts.add(`{${name}}`)
    if (typeof cases === 'object') for (const text of Object.values(cases)) collect(text, parts)
  }
}
