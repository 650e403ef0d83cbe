import { Component, type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react'
import { loadChunk } from '#web/lib/chunk-loading.ts'
import { PlainButton } from '#web/ui/button.tsx'

/** The code of a part did not come. Everything else that a part throws is a fault in it, and not caught here. */
class NotFetched extends Error {}

/**
 * A part of a screen whose code is fetched when the part is shown. When that fails, a line stands in its place and the
 * rest of the screen stays; it tries again by itself once the network is back, or when asked.
 */
export function lazyComponent<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const begin = () =>
    lazy(() =>
      loadChunk(load).catch((cause: unknown) => {
        failures++
        throw new NotFetched('A part of this screen did not load', { cause })
      }),
    )
  let failures = 0
  let Part = begin()

  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, at the top of a module
  return function Lazily(props: Props) {
    const [attempt, setAttempt] = useState(0)
    const Shown = Part
    const again = () => {
      // A newer version on the server has other names for its parts: the page has to begin anew.
      if (failures > 1 && navigator.onLine) return location.reload()
      if (Part === Shown) Part = begin()
      setAttempt(attempt + 1)
    }
    return (
      <Boundary key={attempt} instead={<Missing again={again} />}>
        <Shown {...props} />
      </Boundary>
    )
  }
}

class Boundary extends Component<{ children: ReactNode; instead: ReactNode }, { error: unknown }> {
  override state = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const error: unknown = this.state.error
    if (error === undefined) return this.props.children
    if (!(error instanceof NotFetched)) throw error as Error
    return this.props.instead
  }
}

function Missing({ again }: { again: () => void }) {
  useEffect(() => {
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [again])
  return (
    <div role="alert" className="grid h-full place-content-center justify-items-center gap-2 p-3 text-center">
      <p className="text-sm text-dim">This part could not be loaded.</p>
      <PlainButton variant="default" onClick={again}>
        Try again
      </PlainButton>
    </div>
  )
}
