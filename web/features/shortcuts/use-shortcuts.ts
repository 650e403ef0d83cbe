import { useLayoutEffect, useRef, useState } from 'react'
import { deleteStored, readStored, store } from '#web/lib/browser-storage.ts'

/** Actions by key: `j`, `shift+j`, `?`, `escape`. */
export type Shortcuts = Record<string, () => void>

/** Keys that may be held down. Any other acts once per press. */
const REPEATABLE = /(^|\+)(j|k|arrowdown|arrowup)$/
const STORAGE_KEY = 'review-shortcuts'

/**
 * Runs an action when its key is pressed in the main content, never while the user types in a field or a dialog is open, and not
 * when the shortcuts are switched off. Arrow keys act only within `list`, so that they still scroll elsewhere.
 */
export function useShortcuts(shortcuts: Shortcuts, list: React.RefObject<HTMLElement | null>): void {
  const latest = useRef(shortcuts)
  useLayoutEffect(() => {
    latest.current = shortcuts
  })
  // With the first paint, so that no key pressed on a visible list is lost.
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { target } = event
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
        return
      if (!(target instanceof Element) || !isInMainContent(target) || isField(target)) return
      if (isDialogOpen()) return
      const key = shortcutOf(event)
      const action = latest.current[key]
      if (action === undefined || (event.repeat && !REPEATABLE.test(key))) return
      if (key.includes('arrow') && !list.current?.contains(target)) return
      if (!areShortcutsOn() && !key.includes('arrow') && key !== 'escape') return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [list])
}

function shortcutOf(event: KeyboardEvent): string {
  const key = keyOf(event)
  return event.shiftKey && /^([a-z]|arrow.*)$/.test(key) ? `shift+${key}` : key
}

/**
 * Returns the key that was pressed, in lower case. A character of another script, such as Bangla, is the letter, digit, / or ?
 * that a Latin keyboard has at its place.
 */
export function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (/^[ -~]+$/.test(key)) return key.toLowerCase()
  if (code === 'Slash') return shiftKey ? '?' : '/'
  return code.replace(/^(Key|Digit)/, '').toLowerCase()
}

function isInMainContent(target: Element): boolean {
  return target === document.body || target.closest('main') !== null
}

/** Returns whether keys pressed on the element are typed into it. */
export function isField(target: Element): boolean {
  return target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
}

/** Returns whether a dialog or a panel, such as a menu, is open above the screen. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog], dialog[open]') !== null
}

/** Returns whether the user has not switched the single-key shortcuts off. */
export function areShortcutsOn(): boolean {
  return readStored(STORAGE_KEY) !== 'off'
}

/** Returns whether single-key shortcuts are on, and a function that switches them. The browser remembers it. */
export function useShortcutsSwitch(): [isOn: boolean, setOn: (on: boolean) => void] {
  const [isOn, setIsOn] = useState(areShortcutsOn)
  return [
    isOn,
    (on) => {
      setIsOn(on)
      if (on) deleteStored(STORAGE_KEY)
      else store(STORAGE_KEY, 'off')
    },
  ]
}
