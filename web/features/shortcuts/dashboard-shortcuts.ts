import { t } from '@lingui/core/macro'
import { useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { Role } from '#contract/endpoint.ts'
import { linksOf } from '#web/features/site/sidebar-links.ts'
import { loadChunkWithRetry } from '#web/lib/chunk-loading.ts'
import type { ShortcutList } from './shortcuts-help.tsx'
import { areShortcutsOn, isDialogOpen, isField, keyOf } from './use-shortcuts.ts'

/** How long after G the second key counts. */
const SECOND_KEY_MS = 1_000

/** The screens that open with G and a key. */
const GO_TO: Record<Role, Record<string, string>> = {
  Worker: {
    h: '/dashboard',
    n: '/dashboard/notifications',
    t: '/dashboard/available-task',
    s: '/dashboard/my-submisson',
    w: '/dashboard/withDrawal-form',
    c: '/dashboard/statement',
  },
  Buyer: {
    h: '/dashboard',
    n: '/dashboard/notifications',
    t: '/dashboard/my-task',
    a: '/dashboard/add-task',
    r: '/dashboard/task-to-review',
    p: '/dashboard/purchase-coin',
    c: '/dashboard/statement',
  },
  Admin: {
    h: '/dashboard',
    n: '/dashboard/notifications',
    w: '/dashboard/withdraw-request',
    p: '/dashboard/payouts',
    u: '/dashboard/manage-users',
    t: '/dashboard/manage-task',
    m: '/dashboard/messages',
  },
}

/** Returns the shortcuts of every dashboard screen of a role, for the help. */
export function dashboardShortcuts(role: Role): ShortcutList {
  const links = linksOf(role)
  const labelOf = (path: string) => links.find(({ to }) => to === path)?.label ?? t`Notifications`
  return [
    [['Ctrl K', '⌘ K'], t`Find a screen or an action`],
    [['/'], t`Search this screen`],
    ...Object.entries(GO_TO[role]).map(([key, path]): ShortcutList[number] => [
      ['G', key.toUpperCase()],
      labelOf(path),
    ]),
    [['?'], t`Show this help`],
  ]
}

/**
 * Handles the single-key shortcuts of every dashboard screen: G and a key, / and ?. They act neither while the user types
 * nor while a dialog is open, nor when the user has switched shortcuts off (WCAG 2.1.4).
 */
export function DashboardShortcuts({ role }: { role: Role }): null {
  const navigate = useNavigate()
  const pressedGAt = useRef(Number.NEGATIVE_INFINITY)

  // With the first paint, so that no key pressed on a visible screen is lost.
  useLayoutEffect(() => {
    const actsOn = ({ target, isComposing, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent) =>
      areShortcutsOn() &&
      !(isComposing || ctrlKey || metaKey || altKey || defaultPrevented) &&
      target instanceof Element &&
      !isField(target) &&
      !isDialogOpen()

    /** Captured, because after G a key of the screen means where to go. */
    function onSecondKey(event: KeyboardEvent): void {
      if (performance.now() - pressedGAt.current > SECOND_KEY_MS || event.key === 'Shift') return
      pressedGAt.current = Number.NEGATIVE_INFINITY
      const path = GO_TO[role][keyOf(event)]
      if (path === undefined || !actsOn(event)) return
      event.preventDefault()
      void navigate(path)
    }
    /** On the window, after the screen's own shortcuts. */
    function onKey(event: KeyboardEvent): void {
      if (!actsOn(event) || event.repeat) return
      const key = keyOf(event)
      if (key === 'g') pressedGAt.current = performance.now()
      else if (key === '?') showHelp()
      else if (key !== '/' || !focusSearch()) return
      event.preventDefault()
    }
    addEventListener('keydown', onSecondKey, true)
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('keydown', onSecondKey, true)
      removeEventListener('keydown', onKey)
    }
  }, [role, navigate])
  return null
}

const loadHelp = () => import('./shortcuts-help.tsx')

function showHelp(): void {
  void loadChunkWithRetry(loadHelp).then(({ showShortcutsHelp }) => showShortcutsHelp())
}

/** Focuses the search field of the screen. Returns false when there is none. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('main input[type=search]')
  search?.focus()
  return search !== null
}
