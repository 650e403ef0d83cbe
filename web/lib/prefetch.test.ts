import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { prefetchOnIntent, whenIdle } from '#web/lib/prefetch.ts'
import { until } from '#web/testing/app.tsx'

describe('prefetching', () => {
  let stop = () => {}

  afterEach(() => {
    stop()
    Reflect.deleteProperty(navigator, 'connection')
    delete window.__reactRouterManifest
  })

  /** Points at a link of the page, and returns what the page has begun to load. */
  function pointAtLink(): string[] {
    window.__reactRouterManifest = { routes: { tasks: { path: '/all-task', module: '/assets/all-task.js' } } }
    stop = prefetchOnIntent()
    document.body.innerHTML = '<a href="/all-task">Tasks</a>'
    document.querySelector('a')?.dispatchEvent(new Event('pointerover', { bubbles: true }))
    return [...document.head.querySelectorAll('link')].map((link) => link.getAttribute('href') ?? '')
  }

  function saveData(): void {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
  }

  test('loads the code of a link that is pointed at', () => {
    assert.deepEqual(pointAtLink(), ['/assets/all-task.js'])
  })

  test('loads nothing where the user saves data', () => {
    saveData()
    assert.deepEqual(pointAtLink(), [])
    whenIdle(() => assert.fail('work that nobody waits for has run'))
  })

  test('runs one piece of work in each idle slice, and no more after it is cancelled', async () => {
    const slices: (() => void)[] = []
    window.requestIdleCallback = (run) => slices.push(run as () => void)
    window.cancelIdleCallback = (slice) => void slices.splice(slice - 1, 1, () => {})
    const done: number[] = []
    const cancel = whenIdle(...[1, 2, 3].map((work) => () => void done.push(work)))
    await until(() => assert.equal(slices.length, 1))
    slices[0]?.()
    assert.deepEqual(done, [1])
    slices[1]?.()
    assert.deepEqual(done, [1, 2])
    cancel()
    slices[2]?.()
    assert.deepEqual(done, [1, 2])
    Reflect.deleteProperty(window, 'requestIdleCallback')
    Reflect.deleteProperty(window, 'cancelIdleCallback')
  })
})
