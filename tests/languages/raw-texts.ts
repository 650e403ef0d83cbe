import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

/** Properties whose text is shown or read aloud. */
const SHOWN =
  /^(label|title|subtitle|placeholder|description|alt|summary|caption|heading|hint|message|text|detail|lead|note|header|failure|empty|question|aria-label|aria-description|requiredMessage|\w+Label)$/
/** Elements whose content is code or a name. */
const UNTRANSLATED = new Set(['code', 'pre', 'kbd', 'style', 'script'])
/** Elements of Lingui, whose content is a message. */
const MESSAGES = new Set(['Trans', 'Plural', 'Select', 'SelectOrdinal'])
/** Names, addresses and formats, which are the same in every language. */
const NAMES =
  /Tallywork|English|Ctrl K|Shift [JK]|bKash|Rocket|Nagad|Google|Stripe|CSV|PDF|JSON|API|SHA-256|UTC|USD|BDT|\S+@\S+|https?:\S*|\.\w+/g

/** A sentence: a capital letter and several words. */
const SENTENCE = /^\s*\p{Lu}[\p{Ll}']*( \S+)+$/u
/** Macros that are functions, and errors that users do not see. */
const NOT_SHOWN = /^(t|plural|select|selectOrdinal|(?!Api)\w*Error)$/

/** Names of CSS classes. */
const CLASSES = /^(?=.*-)[a-z\d:[\]./-]+( [a-z\d:[\]./-]+)*$/

/** Returns the texts of a component that no macro marks: "path:line text". */
export function rawTextsOf(path: string, code: string): string[] {
  const { program, errors } = parseSync(path, code)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`)
  const inMessages: { start: number; end: number }[] = []
  const found: { start: number; text: string }[] = []
  const add = (start: number, text: string) => {
    if (CLASSES.test(text)) return
    if (/\p{L}{2}/u.test(text.replace(NAMES, '')))
      found.push({ start, text: text.trim().replace(/\s+/g, ' ') })
  }
  const addShown = (node: ESTree.Node | null): void => {
    for (const { start, text } of stringsOf(node)) add(start, text)
  }
  new Visitor({
    JSXFragment(node) {
      for (const child of node.children) if (child.type === 'JSXExpressionContainer') addShown(child)
    },
    JSXElement(node) {
      for (const child of node.children) if (child.type === 'JSXExpressionContainer') addShown(child)
      const { name } = node.openingElement
      if (name.type !== 'JSXIdentifier') return
      if (MESSAGES.has(name.name) || UNTRANSLATED.has(name.name)) inMessages.push(node)
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier' && NOT_SHOWN.test(node.callee.name)) inMessages.push(node)
    },
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && NOT_SHOWN.test(node.callee.name)) inMessages.push(node)
    },
    Literal({ start, value }) {
      if (typeof value === 'string' && SENTENCE.test(value)) add(start, value)
    },
    JSXText(node) {
      add(node.start, node.value)
    },
    JSXAttribute(node) {
      const name = node.name.type === 'JSXIdentifier' ? node.name.name : ''
      if (SHOWN.test(name)) addShown(node.value)
    },
    Property(node) {
      const name =
        node.key.type === 'Identifier' ? node.key.name : node.key.type === 'Literal' ? node.key.value : ''
      if (SHOWN.test(String(name))) addShown(node.value)
    },
  }).visit(program)
  return found
    .filter(({ start }) => !inMessages.some((range) => range.start <= start && start < range.end))
    .map(({ start, text }) => `${path}:${code.slice(0, start).split('\n').length} ${text}`)
}

/** Returns the strings that an expression can have as its value. */
function stringsOf(node: ESTree.Node | null | undefined): { start: number; text: string }[] {
  if (node?.type === 'Literal') {
    return typeof node.value === 'string' ? [{ start: node.start, text: node.value }] : []
  }
  if (node?.type === 'TemplateLiteral') {
    return [{ start: node.start, text: node.quasis.map(({ value }) => value.cooked).join(' ') }]
  }
  if (node?.type === 'ConditionalExpression') {
    return [...stringsOf(node.consequent), ...stringsOf(node.alternate)]
  }
  if (node?.type === 'LogicalExpression') {
    return [...stringsOf(node.operator === '&&' ? null : node.left), ...stringsOf(node.right)]
  }
  return node?.type === 'JSXExpressionContainer' ? stringsOf(node.expression) : []
}
