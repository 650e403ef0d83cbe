import {
  createPath,
  type DataRouteMatch,
  type DataRouter,
  IDLE_NAVIGATION,
  type Location,
  matchRoutes,
  type NavigateOptions,
  NavigationType,
  type RouteObject,
  resolvePath,
  type To,
  type UNSAFE_createBrowserHistory,
} from 'react-router'

type State = DataRouter['state']
type Subscriber = Parameters<DataRouter['subscribe']>[0]
type Options = {
  /** Their ids are set where missing. Errors are rendered by the first one. */
  routes: RouteObject[]
  history: Pick<
    ReturnType<typeof UNSAFE_createBrowserHistory>,
    | 'action'
    | 'location'
    | 'createHref'
    | 'createURL'
    | 'encodeLocation'
    | 'push'
    | 'replace'
    | 'go'
    | 'listen'
  >
  basename?: string
  /** Whether the page is prerendered: the browser then restores its scroll position. */
  isPrerendered?: boolean
}

/**
 * Creates the router that `RouterProvider` renders. Unlike React Router's own it has neither actions and fetchers nor data of
 * loaders, which no screen uses and which are more than half of that library (docs/decisions/0106-bytes-of-a-first-visit.md). It matches
 * URLs, loads the code of routes (`lazy`), waits for the loader of a route that is entered, and then renders the location.
 * A navigation that starts meanwhile replaces the one before it.
 */
export function createAppRouter({
  routes,
  history,
  basename = '/',
  isPrerendered = false,
}: Options): DataRouter {
  setIds(routes)
  const match = (to: Location | string) => matchRoutes(routes, to, basename) as DataRouteMatch[] | null
  const subscribers = new Set<Subscriber>()
  const origin = history.createURL('/').origin
  let scroll: { positions: Record<string, number>; position: () => number } | undefined
  let current = 0
  let stopListening = () => {}

  const matches = match(history.location) ?? []
  const isLoaded = matches.every(({ route }) => !route.lazy)
  let state: State = {
    historyAction: history.action,
    location: history.location,
    matches,
    initialized: isLoaded,
    renderFallback: !isLoaded,
    navigation: IDLE_NAVIGATION,
    restoreScrollPosition: isPrerendered ? false : null,
    preventScrollReset: false,
    revalidation: 'idle',
    loaderData: dataOf(matches),
    actionData: null,
    errors: null,
    fetchers: new Map(),
    blockers: new Map(),
  }

  function update(changes: Partial<State>, flushSync = false): void {
    state = { ...state, ...changes }
    for (const notify of subscribers)
      notify(state, { deletedFetchers: [], newErrors: changes.errors ?? null, flushSync })
  }

  /** Loads what the routes of a location need, and renders it unless another navigation has started since. */
  async function open(
    action: NavigationType,
    location: Location,
    options: NavigateOptions = {},
  ): Promise<void> {
    const navigation = ++current
    if (scroll) scroll.positions[state.location.key] = scroll.position()
    const next = match(location)
    // The URL belongs to another app, such as the one in another language.
    if (next === null) return window.location.assign(history.createHref(location))
    let errors: State['errors'] = null
    const entered = next.filter((match, index) => !isSame(match, state.matches[index]))
    if (next.some(({ route }) => route.lazy) || entered.some(({ route }) => route.loader)) {
      if (state.initialized) update({ navigation: loading(action, location, next) }, options.flushSync)
      try {
        await load(location, next, state.initialized ? entered : next)
      } catch (error) {
        errors = { [next[0]?.route.id ?? '']: error }
      }
    }
    if (navigation !== current) return
    if (action === NavigationType.Push) history.push(location, location.state)
    if (action === NavigationType.Replace) history.replace(location, location.state)
    const changes: Partial<State> = {
      historyAction: action,
      location,
      matches: next,
      initialized: true,
      renderFallback: false,
      navigation: IDLE_NAVIGATION,
      loaderData: dataOf(next),
      restoreScrollPosition: scroll?.positions[location.key] ?? null,
      preventScrollReset: options.preventScrollReset === true,
      errors,
    }
    update(changes, options.flushSync)
  }

  async function load(location: Location, next: DataRouteMatch[], entered: DataRouteMatch[]): Promise<void> {
    const request = new Request(history.createURL(location.pathname + location.search))
    await Promise.all(
      next.map(async (match) => {
        const { route, params } = match
        const { loader } = route
        const run = async (start: unknown) => {
          if (entered.includes(match) && typeof start === 'function') await start({ request, params })
        }
        // Where the loader has a file of its own, its data need not wait for the code of the screen.
        await Promise.all([loadCode(route), run(loader)])
        if (!loader) await run(route.loader)
      }),
    )
  }

  async function navigate(to: To | number | null, options: NavigateOptions = {}): Promise<void> {
    if (typeof to === 'number') return history.go(to)
    const path = resolvePath(to ?? '', withoutBase(state.location.pathname))
    if (basename !== '/') path.pathname = basename + (path.pathname === '/' ? '' : path.pathname)
    const href = typeof to === 'string' ? to : createPath(to ?? path)
    if (new URL(href, origin).origin !== origin || history.createURL(path).origin !== origin)
      throw new Error('External navigation is not allowed')
    const location: Location = {
      ...path,
      ...history.encodeLocation(path),
      state: options.state ?? null,
      key: Math.random().toString(36).slice(2, 10),
    }
    await open(options.replace ? NavigationType.Replace : NavigationType.Push, location, options)
  }

  function withoutBase(pathname: string): string {
    return basename === '/' ? pathname : pathname.slice(basename.length) || '/'
  }

  const router = {
    basename,
    routes,
    manifest: {},
    get state() {
      return state
    },
    match,
    navigate,
    createHref: history.createHref,
    createURL: history.createURL,
    encodeLocation: history.encodeLocation,
    initialize() {
      stopListening = history.listen(({ action, location }) => void open(action, location))
      if (!state.initialized) void open(NavigationType.Pop, state.location)
      return router
    },
    subscribe(subscriber: Subscriber) {
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    enableScrollRestoration(positions: Record<string, number>, position: () => number) {
      scroll = { positions, position }
      const restored = positions[state.location.key]
      if (!isPrerendered && !state.initialized && restored !== undefined)
        update({ restoreScrollPosition: restored })
      return () => {
        scroll = undefined
      }
    },
    dispose() {
      stopListening()
      subscribers.clear()
      current++
    },
  }
  // The rest of the type is what the app does not use.
  return router as unknown as DataRouter
}

function setIds(routes: RouteObject[], parent = ''): void {
  routes.forEach((route, index) => {
    route.id ??= parent + index
    setIds(route.children ?? [], `${route.id}-`)
  })
}

/** Adds to a route what its `lazy` function loads. */
async function loadCode(route: RouteObject): Promise<void> {
  if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined })
}

function loading(
  historyAction: NavigationType,
  location: Location,
  matches: DataRouteMatch[],
): State['navigation'] {
  return { ...IDLE_NAVIGATION, state: 'loading', location, matches, historyAction }
}

function isSame(match: DataRouteMatch, shown: DataRouteMatch | undefined): boolean {
  return shown?.route.id === match.route.id && shown.pathname === match.pathname
}

/** Screens read no data of loaders. A route without an entry here would be rendered as one that still loads. */
function dataOf(matches: DataRouteMatch[]): State['loaderData'] {
  return Object.fromEntries(matches.map(({ route }) => [route.id, null]))
}
