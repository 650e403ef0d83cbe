import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import type { Plugin } from 'vite'

/** The parts of an endpoint that only the server, the OpenAPI document and the tests use. */
const OF_THE_SERVER = new Set([
  'summary',
  'limit',
  'scope',
  'params',
  'query',
  'body',
  'reply',
  'status',
  'idempotency',
  'errors',
  'shared',
  'boundedStaleness',
])
/** In a form of a prerendered page. */
const OF_THE_FORMS = new Set(['successQuery'])
const MODULE = /\/contract\/[\w.-]+\.ts$/
const SCHEMAS = '?schemas'

type Node = { type: string; start: number; end: number } & Record<string, unknown>
type Edit = { start: number; end: number; text: string }
/** A statement of a module that declares values. */
type Declaration = { node: Node; names: string[]; isExported: boolean; uses: Set<string> }

/**
 * Leaves out what the web app does not use of the contract: it sends requests by method and path, and trusts the server's
 * responses. Each module of the contract then comes as two: its endpoints and constants, and with `?schemas` its schemas. Only
 * what validates, such as a form, imports the latter, and with them the library of schemas.
 */
export function clientContract(): Plugin {
  return {
    name: 'contract-of-the-client',
    transform: {
      filter: { id: [/\/contract\/[\w.-]+\.ts(\?schemas)?$/, /\/web\/.*\.tsx?$/] },
      handler(source, id) {
        const path = id.replace(SCHEMAS, '')
        if (MODULE.test(path)) {
          const code = id.endsWith(SCHEMAS) ? schemasOf(source, path) : endpointsOf(source, path)
          return { code, map: null, moduleSideEffects: false }
        }
        if (!source.includes('#contract/')) return
        const missing = usedServerPart(source)
        if (missing !== undefined) this.error(`The web app has no ${missing}: give the schema a name.`)
        return { code: withSchemaImports(source, id), map: null }
      },
    },
  }
}

/** Returns the module without its schemas. */
export function endpointsOf(source: string, path: string): string {
  const code = withoutServerParts(source)
  const schemas = schemaNames(path)
  const declarations = declarationsOf(code)
  const ofSchemas = declarations.filter(({ names }) => schemas.has(names[0] ?? ''))
  const needed = new Set(ofSchemas.flatMap(({ uses }) => [...uses]))
  const hidden = declarations
    .filter(({ names, isExported }) => !isExported && !schemas.has(names[0] ?? ''))
    .flatMap(({ names }) => names.filter((name) => needed.has(name)))
  const rest = withSchemaImports(
    apply(
      code,
      ofSchemas.map(({ node }) => removal(node)),
    ),
    path,
    false,
  )
  return hidden.length > 0 ? `${rest}\nexport { ${hidden.join(', ')} }` : rest
}

/** Returns the module with its schemas only. Their calls have no effect, so that the bundler drops those that nothing uses. */
export function schemasOf(source: string, path: string): string {
  const code = withoutServerParts(source)
  const schemas = schemaNames(path)
  const declarations = declarationsOf(code)
  const others = declarations.filter(({ names }) => !schemas.has(names[0] ?? ''))
  const ofSchemas = declarations.filter(({ names }) => schemas.has(names[0] ?? ''))
  const needed = others.flatMap(({ names }) =>
    names.filter((name) => ofSchemas.some(({ uses }) => uses.has(name))),
  )
  const starts = new Set(ofSchemas.flatMap(({ node }) => callsIn(node)))
  const edits = [
    ...others.map(({ node }) => removal(node)),
    ...[...starts].map((start) => ({ start, end: start, text: '/* @__PURE__ */ ' })),
  ]
  const imports = needed.length > 0 ? `import { ${needed.join(', ')} } from ${JSON.stringify(path)}\n` : ''
  return imports + withSchemaImports(apply(code, edits), path)
}

const removal = ({ start, end }: Node): Edit => ({ start, end, text: '' })

/** Returns the code with imports of schemas from where they are, or without them. */
export function withSchemaImports(code: string, path: string, areUsed = true): string {
  const edits: Edit[] = []
  for (const node of statementsOf(code)) {
    const from = contractPath(node, path)
    if (from === undefined) continue
    const schemas = schemaNames(from)
    const specifiers = node.specifiers as Node[]
    const isSchema = ({ imported, local }: Node) =>
      schemas.has(((imported ?? local) as { name: string }).name)
    if (!specifiers.some(isSchema)) continue
    const word = node.type === 'ImportDeclaration' ? 'import' : 'export'
    const list = (of: Node[]) => of.map(({ start, end }) => code.slice(start, end)).join(', ')
    const others = specifiers.filter((specifier) => !isSchema(specifier))
    const rest = others.length > 0 ? `${word} { ${list(others)} } from ${JSON.stringify(from)}\n` : ''
    const found = `${word} { ${list(specifiers.filter(isSchema))} } from ${JSON.stringify(from + SCHEMAS)}`
    edits.push({ start: node.start, end: node.end, text: areUsed ? rest + found : rest })
  }
  return apply(code, edits)
}

/** Returns the module of the contract that a statement imports from, if it does. */
function contractPath({ source, specifiers }: Node, path: string): string | undefined {
  if (!source || !specifiers) return undefined
  const { value } = source as { value: string }
  if (value.startsWith('#contract/')) return join(process.cwd(), 'contract', value.slice('#contract/'.length))
  return value.startsWith('./') && MODULE.test(path) ? join(dirname(path), value) : undefined
}

const schemasOfModules = new Map<string, Set<string>>()

/** Returns the names in a module of the contract whose values need the library of schemas. */
function schemaNames(path: string): Set<string> {
  const known = schemasOfModules.get(path)
  if (known) return known
  const found = new Set<string>()
  schemasOfModules.set(path, found)
  const code = withoutServerParts(readFileSync(path, 'utf8'))
  for (const node of statementsOf(code)) {
    if (node.type !== 'ImportDeclaration' || node.importKind === 'type') continue
    const from = (node.source as { value: string }).value
    const isLibrary = from.startsWith('zod')
    const names = isLibrary || !from.startsWith('.') ? undefined : schemaNames(join(dirname(path), from))
    for (const specifier of node.specifiers as Node[]) {
      const imported = (specifier.imported as { name?: string } | undefined)?.name ?? ''
      if (isLibrary || names?.has(imported)) found.add((specifier.local as { name: string }).name)
    }
  }
  const declarations = declarationsOf(code)
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const { names, uses } of declarations)
      if ([...uses].some((name) => found.has(name))) for (const name of names) found.add(name)
  }
  return found
}

function statementsOf(code: string): Node[] {
  return parseSync('contract.ts', code).program.body as unknown as Node[]
}

function declarationsOf(code: string): Declaration[] {
  return statementsOf(code).flatMap((node) => {
    const isExported = node.type === 'ExportNamedDeclaration'
    const declared = (isExported ? node.declaration : node) as Node | null
    if (declared?.type === 'FunctionDeclaration')
      return { node, names: [(declared.id as { name: string }).name], isExported, uses: namesIn(declared) }
    if (declared?.type !== 'VariableDeclaration') return []
    const names = (declared.declarations as Node[]).map(({ id }) => (id as { name: string }).name)
    return { node, names, isExported, uses: namesIn(declared) }
  })
}

/** Returns the names that the values of a node refer to. */
function namesIn(node: Node): Set<string> {
  const names = new Set<string>()
  walk(node, (part) => {
    if (part.type === 'Identifier') names.add(part.name as string)
  })
  return names
}

/** Returns where the calls in a node start that run when the module does. */
function callsIn(node: Node): number[] {
  const starts: number[] = []
  walk(node, (part) => {
    if (part.type === 'CallExpression') starts.push(part.start)
  })
  return starts
}

/** Visits a node and all in it that is neither a type nor the name of a property. */
function walk(node: Node, visit: (part: Node) => void): void {
  if (node.type.startsWith('TS') && !('expression' in node)) return
  visit(node)
  for (const [key, value] of Object.entries(node)) {
    if (
      key === 'typeAnnotation' ||
      key === 'returnType' ||
      key === 'typeParameters' ||
      key === 'typeArguments'
    )
      continue
    if (node.computed !== true && (key === 'property' || (node.type === 'Property' && key === 'key')))
      continue
    for (const part of Array.isArray(value) ? value : [value])
      if (typeof part === 'object' && part !== null && 'type' in part) walk(part as Node, visit)
  }
}

/** Returns the code with each call `endpoint({ … })` as the object alone, without the parts of the server. */
function withoutServerParts(source: string): string {
  if (!source.includes('endpoint({')) return source
  const edits: Edit[] = []
  const cut = (object: Node, names: ReadonlySet<string>) => {
    const properties = object.properties as Node[]
    properties.forEach((property, index) => {
      const key = property.key as { name?: string } | undefined
      if (property.type !== 'Property' || !names.has(key?.name ?? '')) return
      edits.push({ start: property.start, end: properties[index + 1]?.start ?? object.end - 1, text: '' })
    })
  }
  for (const statement of statementsOf(source)) {
    walk(statement, (node) => {
      const callee = node.callee as Node | undefined
      const [definition] = (node.arguments ?? []) as Node[]
      if (callee?.name !== 'endpoint' || definition?.type !== 'ObjectExpression') return
      edits.push({ start: callee.start, end: callee.end, text: '' })
      cut(definition, OF_THE_SERVER)
      const form = (definition.properties as Node[]).find(
        ({ key }) => (key as { name?: string } | undefined)?.name === 'form',
      )
      if (form) cut(form.value as Node, OF_THE_FORMS)
    })
  }
  return apply(source, edits)
}

/** Returns the first part of an endpoint that a module of the web app reads, such as `signUp.body`, and does not get. */
export function usedServerPart(source: string): string | undefined {
  const statements = parseSync('module.tsx', source).program.body as unknown as Node[]
  const endpoints = new Set<string>()
  for (const node of statements) {
    if (node.type !== 'ImportDeclaration') continue
    if (!(node.source as { value: string }).value.startsWith('#contract/')) continue
    for (const specifier of node.specifiers as Node[]) {
      const { name } = specifier.local as { name: string }
      // Schemas and types begin with a capital letter.
      if (/^[a-z]/.test(name)) endpoints.add(name)
    }
  }
  let found: string | undefined
  for (const statement of statements) {
    walk(statement, (node) => {
      if (node.type !== 'MemberExpression') return
      const { name: object = '' } = node.object as { name?: string }
      const { name: part = '' } = node.property as { name?: string }
      if (endpoints.has(object) && OF_THE_SERVER.has(part)) found ??= `${object}.${part}`
    })
  }
  return found
}

/** Applies edits in the order of their places. */
function apply(code: string, edits: Edit[]): string {
  let result = ''
  let position = 0
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < position) continue
    result += code.slice(position, start) + text
    position = end
  }
  return result + code.slice(position)
}
