import { type ComponentType, useSyncExternalStore } from 'react'
import { loadChunk } from '#web/lib/chunk-loading.ts'

/**
 * Returns a component that renders nothing until its chunk is first needed: `Host` is rendered once, in the root, and
 * `open` loads the chunk, shows its default export there and resolves with the module.
 */
export function lazyHost<Module extends { default: ComponentType }>(load: () => Promise<Module>) {
  let Loaded: ComponentType | null = null
  const subscribers = new Set<() => void>()

  function subscribe(notify: () => void): () => void {
    subscribers.add(notify)
    return () => subscribers.delete(notify)
  }
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each host, at the top of a module
  function Host() {
    const Shown = useSyncExternalStore(
      subscribe,
      () => Loaded,
      () => null,
    )
    return Shown && <Shown />
  }
  async function open(): Promise<Module> {
    const module = await loadChunk(load)
    Loaded = module.default
    for (const notify of subscribers) notify()
    return module
  }
  return { Host, open, prefetch: () => void loadChunk(load).catch(() => {}) }
}
