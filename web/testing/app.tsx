import assert from 'node:assert/strict'
import { afterEach, beforeEach } from 'node:test'
import { inspect } from 'node:util'
import { MantineProvider } from '@mantine/core'
import { cleanNotifications } from '@mantine/notifications'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, render as renderElement, screen, waitFor } from '@testing-library/react'
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event'
import type { ReactElement, ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { type DataRouter, type RouteObject, RouterProvider, UNSAFE_createMemoryHistory } from 'react-router'
import { LOCALE_COOKIE } from '#contract/locale-cookie.ts'
import type { User } from '#contract/users.ts'
import { ApiError } from '#web/lib/api.ts'
import { createAppRouter } from '#web/lib/app-router.ts'
import { resetToken } from '#web/lib/id-token.ts'
import { queryClient } from '#web/lib/queries.ts'
import { SessionProvider } from '#web/lib/session.tsx'
import App, { HydrateFallback } from '#web/root.tsx'
import routes from '#web/routes.ts'
import { theme } from '#web/theme.ts'
import { FakeServer } from './fake-server.ts'
import { watchTimers } from './timers.ts'

/** The server of the running test. */
export let server: FakeServer
/** The user's keyboard and pointer in the running test. */
export let user: UserEvent

const nativeConsoleError = console.error
/** What the dashboard shows until its user is known. */
const LOADING = 'Loading your experience...'
let logged: string[] = []
let stopWatching = () => [] as string[]

// A query waits as long as a busy machine needs. Its failure shows the page's words instead of its markup.
configure({
  asyncUtilTimeout: 120_000,
  // Without styles nothing is hidden, and asking for the computed style of every element takes most of the time.
  defaultHidden: true,
  getElementError: (message, container) =>
    new Error([message?.split('\n')[0], container.textContent, ...server.problems, ...logged].join('\n\n')),
})

beforeEach(() => {
  server = new FakeServer()
  globalThis.fetch = server.fetch as typeof fetch
  user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never })
  logged = []
  stopWatching = watchTimers()
  console.error = (...parts: unknown[]) => {
    if (parts.includes('search') && String(parts[0]).startsWith('The tag <%s> is unrecognized')) return // happy-dom's
    if (String(parts[0]).includes('JavaScript file loading is disabled')) return // happy-dom's
    logged.push(parts.map((part) => (typeof part === 'string' ? part : inspect(part))).join(' '))
  }
})

afterEach(async () => {
  try {
    await closeDialogs()
  } finally {
    cleanup()
    queryClient.clear()
    resetToken()
    cleanNotifications()
    localStorage.clear()
    sessionStorage.clear()
    // biome-ignore lint/suspicious/noDocumentCookie: the DOM of the tests has no other way
    document.cookie = `${LOCALE_COOKIE}=; path=/; max-age=0`
    document.head.replaceChildren()
    document.body.replaceChildren()
    document.title = ''
    setOnline(true)
    // It listens only while the app is shown.
    onlineManager.setOnline(true)
    setWidth(1280)
    console.error = nativeConsoleError
  }
  await new Promise(setImmediate) // what React and the cache had scheduled
  const timersLeft = stopWatching()
  assert.deepEqual(server.problems, [])
  assert.deepEqual(logged, [])
  assert.deepEqual(timersLeft, [])
})

/** Opens the app at a path: the screens, their frame and their router as a browser has them. Closes one that was open. */
export async function openApp(path: string, { as }: { as?: User } = {}): Promise<DataRouter> {
  cleanup()
  if (as) server.signIn(as)
  const root = {
    element: <App />,
    hydrateFallbackElement: <HydrateFallback />,
    children: routes.map(routeOf),
  }
  const router = routerAt(root, ['/before', path])
  show(<RouterProvider router={router} />)
  // The dashboard has its main landmark before its user is known.
  await waitFor(() =>
    assert.ok(router.state.initialized && screen.queryByRole('main') && !screen.queryByText(LOADING)),
  )
  return router
}

function routerAt(root: RouteObject, initialEntries: string[]): DataRouter {
  const history = UNSAFE_createMemoryHistory({ initialEntries })
  return createAppRouter({ routes: [root], history }).initialize()
}

/** Renders a part of a screen at the path `/`, with the session and the cache around it. */
export function render(element: ReactNode, path = '/'): DataRouter {
  const router = routerAt({ path: '*', element: withSession(element) }, [path])
  show(<RouterProvider router={router} />)
  return router
}

/** Puts an element's prerendered HTML into the page, without its scripts. The returned function hydrates it. */
export function prerender(element: ReactNode): () => void {
  const page = withTheme(withSession(element))
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(page)
  return () => renderElement(page, { container, hydrate: true })
}

function withSession(element: ReactNode): ReactElement {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>{element}</SessionProvider>
    </QueryClientProvider>
  )
}

function show(element: ReactNode): void {
  renderElement(withTheme(element), {
    onCaughtError: (error) => isExpected(error) || console.error(error),
  })
}

function withTheme(element: ReactNode): ReactElement {
  return (
    <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false} env="test">
      {element}
    </MantineProvider>
  )
}

/** A boundary shows what failed on the network; any other error is a defect. */
function isExpected(error: unknown): boolean {
  return error instanceof ApiError || (error instanceof Error && error.cause instanceof TypeError)
}

/** Sets the width of the viewport. */
export function setWidth(width: number): void {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } }
  happyDOM.setViewport({ width })
}

/** Replaces what a field holds, as pasting does. */
export async function fill(field: HTMLElement, text: string): Promise<void> {
  await user.clear(field)
  if (text === '') return
  await user.click(field)
  await user.paste(text)
}

/** Takes the network away or gives it back. */
export function setOnline(online: boolean): void {
  if (server.offline === !online) return
  server.offline = !online
  Object.defineProperty(navigator, 'onLine', { value: online, configurable: true })
  dispatchEvent(new Event(online ? 'online' : 'offline'))
}

export const button = (name: string | RegExp) => screen.getByRole('button', { name })
export const field = (name: string | RegExp) => screen.getByLabelText(name)
/** Waits for the dialog on the screen. */
export const dialog = (name?: string | RegExp) =>
  screen.findByRole('dialog', name === undefined ? {} : { name })

/** Waits until a check passes. */
export const until = (check: () => void) => waitFor(check, { onTimeout: described })

/** Fails while an element is there. (An assertion that compares elements would print their whole page.) */
export function expectGone(element: Element | null): void {
  if (element !== null) throw new Error(`Still there: ${element.textContent}`)
}

export function expectFocus(element: Element): void {
  const focused = document.activeElement
  if (focused !== element) throw new Error(`The focus is on ${focused?.tagName} ${focused?.textContent}`)
}

function described(error: Error): Error {
  return new Error([error.message, document.body.textContent, ...server.problems, ...logged].join('\n\n'))
}

async function closeDialogs(): Promise<void> {
  while (screen.queryByRole('dialog')) {
    const [shown] = screen.getAllByRole('dialog')
    await user.keyboard('{Escape}')
    await waitFor(() => assert.ok(!shown?.isConnected))
  }
}

function routeOf(entry: RouteConfigEntry): RouteObject {
  const load = async () => {
    const module = await import(`../${entry.file}`)
    return {
      Component: module.default,
      handle: module.handle,
      loader: module.clientLoader,
    }
  }
  const path = entry.path === undefined ? {} : { path: entry.path }
  if (entry.index) return { ...path, index: true, lazy: load }
  return { ...path, lazy: load, children: (entry.children ?? []).map(routeOf) }
}
