import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'
import type { Plugin } from 'vite'
import { MACROS, transformMacros } from '#web/testing/macros.ts'

type Translations = Record<string, string | undefined>
type Edit = { start: number; end: number; text: string }

/**
 * Puts the translation in the place of each message (docs/decisions/0065-translations-in-the-scripts.md). A message
 * without placeholders becomes a string; any other becomes what Lingui compiles it to. A message without a translation
 * stays English.
 */
export function translations(locale: string): Plugin {
  let catalogs: Promise<Map<string, Translations>>
  return {
    name: 'translations',
    enforce: 'pre',
    buildStart: () => {
      catalogs = readCatalogs(locale)
    },
    /** A catalogue in TypeScript, `<name>.en.ts` or `en.ts`, is replaced by its sibling in the language of the build. */
    resolveId: {
      filter: { id: /[./]en\.ts$/ },
      async handler(source, importer, options) {
        const english = await this.resolve(source, importer, { ...options, skipSelf: true })
        const sibling = english?.id.replace(/en\.ts$/, `${locale}.ts`)
        // A sibling takes from the English catalogue what does not depend on the language.
        return sibling && sibling !== importer && existsSync(sibling) ? sibling : english
      },
    },
    transform: {
      filter: { id: /\.tsx?($|\?)/, code: MACROS },
      async handler(source, id) {
        const path = id.replace(/\?.*$/, '')
        const { code } = await transformMacros(source, path)
        const translated = translate(code, (await catalogs).get(path) ?? {}, locale)
        return { code: translated, map: null }
      },
    },
  }
}

/** Returns the translations of each source file, from the catalogue of its folder. */
async function readCatalogs(locale: string): Promise<Map<string, Translations>> {
  const config = getConfig()
  const ofFile = new Map<string, Translations>()
  if (!config.locales.includes(locale)) return ofFile
  for (const catalog of await getCatalogs(config)) {
    const entries = Object.entries((await catalog.read(locale)) ?? {})
    const ofFolder = Object.fromEntries(entries.map(([id, { translation }]) => [id, translation]))
    for (const file of catalog.sourcePaths) ofFile.set(resolve(file), ofFolder)
  }
  return ofFile
}

/** Translates the messages of code whose macros are transformed: objects after the comment `i18n`. */
function translate(code: string, translationOf: Translations, locale: string): string {
  const edits: Edit[] = []
  const replace = ({ start, end }: ESTree.Node, text: string) => edits.push({ start, end, text })
  const compiledFrom = (message: ESTree.Expression | ESTree.JSXSpreadAttribute['argument'] | undefined) => {
    const fields = message && isMessage(message, code) ? fieldsOf(message) : undefined
    const id = textOf(fields?.get('id'))
    const english = textOf(fields?.get('message'))
    if (!fields || id === undefined || english === undefined) return undefined
    const compiled = compile(id, translationOf[id] || english, locale)
    return { fields, compiled, isPlain: compiled.length === 1 && typeof compiled[0] === 'string' }
  }
  new Visitor({
    CallExpression(node) {
      const message = compiledFrom(node.arguments[0] as ESTree.Expression)
      if (message?.isPlain) replace(node, JSON.stringify(message.compiled[0]))
    },
    JSXElement(node) {
      const [attribute, ...others] = node.openingElement.attributes
      if (attribute?.type !== 'JSXSpreadAttribute' || others.length > 0) return
      const message = compiledFrom(attribute.argument)
      if (message?.isPlain && !message.fields.has('components'))
        replace(node, `<>{${JSON.stringify(message.compiled[0])}}</>`)
    },
    ObjectExpression(node) {
      const message = compiledFrom(node)
      if (!message) return
      replace(message.fields.get('id') as ESTree.Node, '""')
      replace(message.fields.get('message') as ESTree.Node, JSON.stringify(message.compiled))
    },
  }).visit(parseSync('code.jsx', code).program)
  return apply(edits, code)
}

function isMessage(node: ESTree.Node, code: string): node is ESTree.ObjectExpression {
  return node.type === 'ObjectExpression' && /\/\*i18n\*\/\s*$/.test(code.slice(0, node.start))
}

function fieldsOf(message: ESTree.ObjectExpression): Map<string, ESTree.Expression> {
  const properties = message.properties.filter((property) => property.type === 'Property')
  return new Map(
    properties.map(({ key, value }) => [
      key.type === 'Identifier' ? key.name : '',
      value as ESTree.Expression,
    ]),
  )
}

function textOf(node: ESTree.Expression | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

function compile(id: string, text: string, locale: string): unknown[] {
  const { source, errors } = createCompiledCatalog(locale, { [id]: text }, { namespace: 'json' })
  if (errors.length > 0) throw new Error(`"${text}" is not a valid message`, { cause: errors[0]?.error })
  return JSON.parse(source).messages[id]
}

/** Applies edits. One within another is ignored, because the outer one replaces what it would change. */
function apply(edits: Edit[], code: string): string {
  let result = ''
  let position = 0
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < position) continue
    result += code.slice(position, start) + text
    position = end
  }
  return result + code.slice(position)
}
