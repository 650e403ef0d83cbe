import { type MouseEvent, useRef } from 'react'

const GUARD_MS = 700
const GUARD_PX = 48

/**
 * After a click that decided, the next submission is shown under the pointer. Stops further clicks on the same place for
 * a moment, so that a double click does not decide twice. Clicks by keyboard have no place and pass.
 */
export function useClickGuard() {
  const lastClick = useRef<Click>(undefined)
  const guarded = useRef<Click>(undefined)
  return {
    onClickCapture(event: MouseEvent): void {
      const click = { time: event.timeStamp, x: event.clientX, y: event.clientY }
      if (event.detail > 0 && guarded.current && isSamePlace(click, guarded.current)) {
        event.preventDefault()
        event.stopPropagation()
        return
      }
      lastClick.current = event.detail > 0 ? click : undefined
    },
    /** Guards the place of the click that is being handled. */
    guard(): void {
      guarded.current = lastClick.current
    },
  }
}

type Click = { time: number; x: number; y: number }

function isSamePlace(click: Click, guarded: Click): boolean {
  const { time, x, y } = guarded
  return click.time - time < GUARD_MS && Math.abs(click.x - x) < GUARD_PX && Math.abs(click.y - y) < GUARD_PX
}
