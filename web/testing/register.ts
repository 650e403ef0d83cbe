// Preloaded by `node --import` before component tests: compiles .tsx files and Lingui's macros, ignores styles and
// provides a DOM.
import { globSync, readFileSync } from 'node:fs'
import { createRequire, enableCompileCache, registerHooks, setSourceMapsSupport } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GlobalRegistrator } from '@happy-dom/global-registrator'
import { transformSync } from 'rolldown/utils'
import { MACROS, transformMacros } from './macros.ts'

enableCompileCache()
// React's development build measures every render where the console has this.
Reflect.deleteProperty(console, 'timeStamp')
// Stacks name our lines. The maps of packages would be read with each of their modules.
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false })
keepNoOwnerStacks()

/** React's development build takes a stack trace for every element, which no test reads, until this count is reached. */
function keepNoOwnerStacks(): void {
  const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = createRequire(
    import.meta.url,
  )('react')
  const count = { get: () => Number.POSITIVE_INFINITY, set: () => {} }
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', count)
}

/** The files with macros, transformed before any test because a hook cannot wait. */
const withMacros = new Map(await Promise.all(globSync('web/**/*.{ts,tsx}').flatMap(transformFile)))

function transformFile(file: string): Promise<[path: string, result: { code: string; map?: string }]>[] {
  const path = resolve(file)
  const code = readFileSync(path, 'utf8')
  return MACROS.test(code) ? [transformMacros(code, path).then((result) => [path, result])] : []
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    // A bundler's `?url` import is the URL of a file; tests need none of its content.
    return specifier.endsWith('?url')
      ? { url: `data:text/javascript,export default ''`, shortCircuit: true }
      : nextResolve(specifier, context)
  },
  load(url, context, nextLoad) {
    if (url.endsWith('.css')) return { format: 'module', source: '', shortCircuit: true }
    if (!/\/web\/.*\.tsx?$/.test(url)) return nextLoad(url, context)
    const path = fileURLToPath(url)
    const transformed = withMacros.get(path)
    if (!transformed && path.endsWith('.ts')) return nextLoad(url, context)
    const { code, errors, map } = transformSync(path, transformed?.code ?? readFileSync(path, 'utf8'), {
      jsx: { runtime: 'automatic' },
      sourcemap: true,
      ...(transformed?.map && { inputMap: JSON.parse(transformed.map) }),
    })
    if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`)
    const sourceMap = Buffer.from(JSON.stringify(map)).toString('base64')
    const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${sourceMap}`
    return { format: 'module', source, shortCircuit: true }
  },
})

/** What Node.js has too, but a page must have in the DOM's version. Everything else stays native. */
const OF_THE_DOM = new Set(['Event', 'EventTarget', 'CustomEvent', 'navigator', 'Navigator', 'Storage'])
OF_THE_DOM.add('localStorage').add('sessionStorage')

process.env.TZ = 'UTC'
const native = Object.getOwnPropertyDescriptors(globalThis)
GlobalRegistrator.register({
  url: 'http://localhost:3000/',
  width: 1280,
  height: 800,
  settings: {
    device: { prefersReducedMotion: 'reduce' },
    // A link that saves a file would become the location of every test after it.
    navigation: { disableFallbackToSetURL: true },
  },
})
for (const [name, descriptor] of Object.entries(native)) {
  if (!OF_THE_DOM.has(name)) Object.defineProperty(globalThis, name, descriptor)
}
// happy-dom has no fonts; Mantine's text areas wait for them.
Object.defineProperty(document, 'fonts', { value: new EventTarget() })
// A browser's body takes no focus. Mantine gives it back to the body when the button that opened a dialog was removed.
Object.defineProperty(HTMLBodyElement.prototype, 'focus', { value: () => {} })
// happy-dom lays nothing out: every element is in view.
class EverythingInView {
  #callback: IntersectionObserverCallback
  constructor(callback: IntersectionObserverCallback) {
    this.#callback = callback
  }
  observe(target: Element): void {
    const entry = { target, isIntersecting: true } as IntersectionObserverEntry
    queueMicrotask(() => this.#callback([entry], this as unknown as IntersectionObserver))
  }
  unobserve(): void {}
  disconnect(): void {}
}
Object.assign(globalThis, { IntersectionObserver: EverythingInView })
