import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import { whenIdle } from '#web/lib/prefetch.ts'

type Props = {
  /** The height of the place in pixels, until its content is rendered. */
  height: number
  children: ReactNode
}

/**
 * Renders what is below the fold when it comes near the viewport, or when the browser is idle on a network that is not slow
 * (docs/decisions/0100-first-visit.md). A URL with a fragment may name something in it, so it is rendered at once.
 */
export function NearViewport({ height, children }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(location.hash !== '')
  useEffect(() => {
    const element = place.current
    if (isNear || element === null) return
    const show = () => setIsNear(true)
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) show()
    })
    observer.observe(element)
    const cancel = whenIdle(() => startTransition(show))
    return () => {
      observer.disconnect()
      cancel()
    }
  }, [isNear])
  return isNear ? children : <div ref={place} style={{ height }} />
}
