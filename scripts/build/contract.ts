import { type ESTree, parseSync, Visitor } from 'rolldown/utils'
import type { Plugin } from 'vite'

/** The parts of an endpoint that only the server, the OpenAPI document and the tests use. */
const OF_THE_SERVER = new Set([
  'summary',
  'limit',
  'scope',
  'params',
  'reply',
  'status',
  'idempotency',
  'errors',
  'shared',
])

/**
 * Leaves out what the web app does not use of the contract: it sends requests by method and path, and trusts the server's
 * responses. The schemas of responses then have no user, and the bundler drops them.
 */
export function contractOfTheClient(): Plugin {
  return {
    name: 'contract-of-the-client',
    transform: {
      filter: { id: /\/contract\/[\w-]+\.ts$/, code: 'endpoint({' },
      handler: (source) => ({ code: withoutServerParts(source), map: null }),
    },
  }
}

/** Returns the code with each call `endpoint({ … })` as the object alone, without the parts of the server. */
function withoutServerParts(source: string): string {
  const cuts: { start: number; end: number }[] = []
  new Visitor({
    CallExpression(node) {
      const [definition] = node.arguments
      const { callee } = node
      if (callee.type !== 'Identifier' || callee.name !== 'endpoint') return
      if (definition?.type !== 'ObjectExpression') return
      cuts.push({ start: callee.start, end: callee.end })
      definition.properties.forEach((property, index) => {
        if (!isOfTheServer(property)) return
        const next = definition.properties[index + 1]?.start ?? definition.end - 1
        cuts.push({ start: property.start, end: next })
      })
    },
  }).visit(parseSync('contract.ts', source).program)
  let result = ''
  let position = 0
  for (const { start, end } of cuts.toSorted((a, b) => a.start - b.start)) {
    result += source.slice(position, start)
    position = end
  }
  return result + source.slice(position)
}

function isOfTheServer(property: ESTree.ObjectPropertyKind): boolean {
  return (
    property.type === 'Property' && property.key.type === 'Identifier' && OF_THE_SERVER.has(property.key.name)
  )
}
