import { t } from '@lingui/core/macro'
import { Component, type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react'
import { loadChunk } from '#web/lib/chunk-loading.ts'
import { PlainButton } from '#web/ui/button.tsx'

/** Thrown when a component's code could not be loaded. Other errors of the component are not caught here. */
class ChunkLoadError extends Error {}

/**
 * Returns a component whose code is loaded when it is first rendered. When loading fails, an error is rendered in its
 * place and the rest of the screen stays. Loading is retried when the network is back or the user asks.
 */
export function lazyComponent<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const createLazy = () =>
    lazy(() =>
      loadChunk(load).catch((cause: unknown) => {
        failures++
        throw new ChunkLoadError('A component could not be loaded', { cause })
      }),
    )
  let failures = 0
  let Loaded = createLazy()

  // biome-ignore lint/correctness/noComponentHookFactories: called once per component, at the top of a module
  return function LazyComponent(props: Props) {
    const [attempt, setAttempt] = useState(0)
    const Current = Loaded
    const retry = () => {
      // After a deployment the chunk has another name: reload the page.
      if (failures > 1 && navigator.onLine) return location.reload()
      if (Loaded === Current) Loaded = createLazy()
      setAttempt(attempt + 1)
    }
    return (
      <Boundary key={attempt} fallback={<LoadFailure retry={retry} />}>
        <Current {...props} />
      </Boundary>
    )
  }
}

class Boundary extends Component<{ children: ReactNode; fallback: ReactNode }, { error: unknown }> {
  override state = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const error: unknown = this.state.error
    if (error === undefined) return this.props.children
    if (!(error instanceof ChunkLoadError)) throw error as Error
    return this.props.fallback
  }
}

function LoadFailure({ retry }: { retry: () => void }) {
  useEffect(() => {
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [retry])
  return (
    <div role="alert" className="grid h-full place-content-center justify-items-center gap-2 p-3 text-center">
      <p className="text-sm text-dim">{t`This section could not be loaded.`}</p>
      <PlainButton variant="default" onClick={retry}>{t`Try again`}</PlainButton>
    </div>
  )
}
