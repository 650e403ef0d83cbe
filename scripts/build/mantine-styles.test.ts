import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { mantineStyles } from './mantine-styles.ts'

const MANTINE = resolve('node_modules/@mantine/core/esm')
/** Parts of components that the app does not show: the cross in inputs, and the forms of check boxes and radio buttons in cards. */
const NOT_SHOWN = ['CloseButton', 'CheckboxCard', 'CheckboxIndicator', 'RadioCard', 'RadioIndicator']

const codes = new Map(
  globSync('web/**/*.{ts,tsx}', { exclude: ['web/testing/**', 'web/**/*.test.*'] }).map((path) => [
    resolve(path),
    readFileSync(path, 'utf8'),
  ]),
)

/** Returns the files that a file of ours imports: with it, or later. */
function importsOf(path: string, when: 'static' | 'dynamic'): string[] {
  const pattern = when === 'static' ? /^(?:import|export) [^;(]*?'([^']+)'/gm : /import\('([^']+)'\)/g
  return [...(codes.get(path) ?? '').matchAll(pattern)]
    .map(([, name = '']) => name)
    .filter((name) => /^[#.]/.test(name))
    .map((name) => (name.startsWith('#') ? resolve(name.slice(1)) : resolve(dirname(path), name)))
}

/** Returns a file and all that it imports, directly and through others. */
function closure(
  path: string,
  importsOf: (path: string) => string[],
  found = new Set<string>(),
): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const imported of importsOf(path)) closure(imported, importsOf, found)
  return found
}

const mantineImports = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/from "(\.[^"]+)"/g)].map(([, name = '']) =>
    resolve(dirname(path), name),
  )
const entries = new Map(
  [
    ...readFileSync(join(MANTINE, 'index.mjs'), 'utf8').matchAll(/import \{ ([^}]*) \} from "([^"]+)"/g),
  ].flatMap(([, names = '', path = '']) =>
    names.split(', ').map((name) => [name, resolve(MANTINE, path)] as const),
  ),
)

/** Returns the modules with the class names of Mantine's components that a file of ours imports. */
function classNamesOf(path: string): string[] {
  const imports = [...(codes.get(path) ?? '').matchAll(/^import \{([^}]*)\} from '@mantine\/core'/gm)]
  return imports
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim().split(' as ')[0] ?? ''))
    .flatMap((name) => entries.get(name) ?? [])
    .flatMap((entry) => [...closure(entry, mantineImports)])
    .filter((module) => module.endsWith('.module.mjs'))
}

function sheetsIn(path: string): string[] {
  const text = codes.get(path) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '')
  return [...text.matchAll(/'@mantine\/core\/styles\/(\w+)\.layer\.css'/g)].map(([, name = '']) => name)
}

const { filter } = mantineStyles().transform as unknown as { filter: { id: RegExp } }
const ofPages = sheetsIn(resolve('web/mantine.css'))
const ofDashboard = sheetsIn(resolve('web/routes/dashboard/mantine.css'))

/** Returns the style sheets that are loaded with a file of ours. */
function loadedWith(path: string): string[] {
  return [...closure(path, (path) => importsOf(path, 'static'))].flatMap((path) => [
    ...sheetsIn(path),
    ...(classNamesOf(path).some((module) => filter.id.test(module)) ? ofDashboard : []),
  ])
}

/** Returns whether a style sheet is loaded with a file, or with every file that imports it. */
function hasSheet(path: string, sheet: string): boolean {
  if (loadedWith(path).includes(sheet)) return true
  const importers = [...codes.keys()].filter((other) =>
    [...importsOf(other, 'static'), ...importsOf(other, 'dynamic')].includes(path),
  )
  return importers.length > 0 && importers.every((importer) => hasSheet(importer, sheet))
}

test('every component of Mantine is loaded with its style sheet', () => {
  const needed = [...codes.keys()].flatMap((path) =>
    classNamesOf(path).map((module) => ({ path, sheet: basename(module, '.module.mjs') })),
  )
  assert.ok(needed.length > 100, 'The test reads the components it judges')
  const missing = needed.filter(
    ({ path, sheet }) => ![...ofPages, ...NOT_SHOWN].includes(sheet) && !hasSheet(path, sheet),
  )
  assert.deepEqual(
    missing.map(({ path, sheet }) => `${path.slice(resolve('.').length + 1)}: ${sheet}`),
    [],
  )
})

test('parts of components whose style sheets are not loaded are not shown', () => {
  for (const [path, code] of codes) assert.doesNotMatch(code, /\b(Checkbox|Radio)\.?(Card|Indicator)\b/, path)
})
