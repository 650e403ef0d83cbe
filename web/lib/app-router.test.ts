import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DataRouter, type RouteObject, UNSAFE_createMemoryHistory } from 'react-router'
import { createAppRouter } from '#web/lib/app-router.ts'

type Part = { open: () => void; loaded: Promise<object> }

const Screen = () => null

let router: DataRouter

/** Returns code that is loaded when `open` is called. */
function part(): Part {
  const { promise, resolve } = Promise.withResolvers<object>()
  return { open: () => resolve({ Component: Screen }), loaded: promise }
}

function start(routes: RouteObject[], { path = '/', basename = '/' } = {}) {
  const history = UNSAFE_createMemoryHistory({ initialEntries: ['/before', path] })
  router = createAppRouter({ routes: [{ id: 'root', children: routes }], history, basename }).initialize()
  return history
}

const shown = () => router.state.location.pathname + router.state.location.search

test('a screen is shown once its code is loaded, and the old one until then', async () => {
  const next = part()
  start([{ path: '/' }, { path: '/tasks', lazy: () => next.loaded }])
  const navigation = router.navigate('/tasks')
  assert.equal(shown(), '/')
  assert.equal(router.state.navigation.location?.pathname, '/tasks')
  next.open()
  await navigation
  assert.equal(shown(), '/tasks')
  assert.equal(router.state.navigation.state, 'idle')
})

test('a screen whose code is there is shown at once, and its code is loaded once', async () => {
  let loads = 0
  start([{ path: '/' }, { path: '/tasks', lazy: async () => ({ id: ++loads }) as object }])
  await router.navigate('/tasks')
  void router.navigate('/')
  assert.equal(shown(), '/')
  void router.navigate('/tasks?q=voice')
  assert.equal(shown(), '/tasks?q=voice')
  assert.equal(loads, 1)
})

test('of two navigations the last one is shown, also when its code arrives first', async () => {
  const [first, last] = [part(), part()]
  const history = start([
    { path: '/' },
    { path: '/first', lazy: () => first.loaded },
    { path: '/last', lazy: () => last.loaded },
  ])
  const both = [router.navigate('/first'), router.navigate('/last')]
  last.open()
  first.open()
  await Promise.all(both)
  assert.equal(shown(), '/last')
  assert.equal(history.index, 2)
})

test('going back to a screen replaces a navigation that still loads', async () => {
  const next = part()
  const history = start([{ path: '/' }, { path: '/list' }, { path: '/slow', lazy: () => next.loaded }])
  await router.navigate('/list')
  const navigation = router.navigate('/slow')
  await router.navigate(-1)
  next.open()
  await navigation
  assert.equal(shown(), '/')
  assert.equal(history.location.pathname, '/')
})

test('a loader runs when its screen is entered, and not when its search changes', async () => {
  const requests: string[] = []
  const loader = ({ request }: { request: Request }) => requests.push(new URL(request.url).search)
  start([{ path: '/' }, { path: '/users/:id', loader }])
  await router.navigate('/users/1?role=Buyer#top')
  await router.navigate('/users/1?role=Worker')
  await router.navigate('/users/2')
  await router.navigate('/')
  await router.navigate('/users/2?role=Buyer')
  assert.deepEqual(requests, ['?role=Buyer', '', '?role=Buyer'])
})

test('a failure to load is rendered by the root, and the next screen is without it', async () => {
  const failure = new Error('no code')
  start([{ path: '/' }, { path: '/tasks', lazy: () => Promise.reject(failure) }])
  await router.navigate('/tasks')
  assert.deepEqual(router.state.errors, { root: failure })
  await router.navigate('/')
  assert.equal(router.state.errors, null)
})

test('paths are those of the language, and a search keeps the path', async () => {
  const history = start([{ index: true }, { path: 'tasks' }], { path: '/bn', basename: '/bn' })
  await router.navigate('/tasks')
  assert.equal(history.location.pathname, '/bn/tasks')
  await router.navigate('?q=voice', { replace: true })
  assert.equal(shown(), '/bn/tasks?q=voice')
  assert.equal(history.index, 2)
  await router.navigate('/')
  assert.equal(history.location.pathname, '/bn')
})

test('other sites are no place to go', async () => {
  const history = start([{ path: '/' }, { path: '*' }])
  for (const to of [
    '//example.com',
    '/\\example.com',
    'https://example.com/tasks',
    { pathname: '//example.com' },
  ])
    await assert.rejects(router.navigate(to), /External navigation/)
  assert.equal(history.location.pathname, '/')
})

test('the scroll position of a location is restored', async () => {
  start([{ path: '/' }, { path: '/tasks' }])
  const positions: Record<string, number> = {}
  let position = 300
  router.enableScrollRestoration(positions, () => position)
  await router.navigate('/tasks')
  assert.equal(router.state.restoreScrollPosition, null)
  position = 0
  await router.navigate(-1)
  assert.equal(router.state.restoreScrollPosition, 300)
})
