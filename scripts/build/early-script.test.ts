import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { issueToken } from '#contract/auth.ts'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { notifications } from '#contract/notifications.ts'
import { site } from '#contract/site.ts'
import { myTaskStates } from '#contract/submissions.ts'
import { myIneligibleTasks, tasksForFavourites } from '#contract/task-access.ts'
import { taskListWorker } from '#contract/tasks.ts'
import { userDetails } from '#contract/users.ts'
import { waiting } from '#contract/waiting.ts'
import type { EarlyResponses } from '#web/lib/early-responses.ts'
import { buildEarlyScript, HOME_ENDPOINTS } from './early-script.ts'

const params = { email: 'ruma@example.com' }
const claims = Buffer.from(JSON.stringify(params)).toString('base64url')
const BODIES = new Map<string, unknown>([
  [pathOf(issueToken), { token: `header.${claims}.signature` }],
  [pathOf(userDetails, params), { role: 'Worker' }],
  [pathOf(taskListWorker), [{ _id: 'one' }, { _id: 'two' }]],
])
const pathOfUrl = (url: string) => url.replace(/\?.*/, '')

/** Runs the script of the list of tasks, or of another screen. What it requests is in `requested`. It reads its copies of responses slowly. */
async function runScript(lastSession: string | null, pathname = '/dashboard/available-task') {
  const requested: string[] = []
  const window: { earlyResponses?: EarlyResponses } = {}
  const fetch = async (url: string) => {
    requested.push(pathOfUrl(url))
    const json = async () => {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
      return BODIES.get(pathOfUrl(url)) ?? []
    }
    return { status: 200, ok: true, clone: () => ({ json }) }
  }
  runInNewContext(await buildEarlyScript(DEFAULT_LOCALE), {
    ...{ window, fetch, atob, TextDecoder, URLSearchParams, navigator: {} },
    location: { pathname, search: '' },
    document: { documentElement: { lang: 'en' } },
    localStorage: { getItem: (key: string) => (key === 'last-session' ? lastSession : null) },
    sessionStorage: { getItem: () => null },
  })
  /** Waits for a response, as the app does. */
  const take = async (endpoint: Endpoint) => {
    const [, response] = [...(window.earlyResponses ?? [])].find(
      ([url]) => pathOfUrl(url) === pathOf(endpoint, params),
    ) ?? ['']
    assert.ok(response, `${endpoint.path} was not requested`)
    await response
  }
  return { requested, take }
}

const paths = (...endpoints: Endpoint[]) => endpoints.map((endpoint) => pathOf(endpoint, params))

test('the app gets a response after what belongs to it was requested', async () => {
  const { requested, take } = await runScript(null)
  assert.deepEqual(requested.splice(0), paths(issueToken, site))
  await take(issueToken)
  assert.deepEqual(requested.splice(0), paths(userDetails, taskListWorker))
  await take(userDetails)
  assert.deepEqual(requested.splice(0), paths(waiting, notifications, tasksForFavourites))
  await take(taskListWorker)
  assert.deepEqual(requested, paths(myTaskStates, myIneligibleTasks))
})

test('nothing waits for the record of the user of the last session', async () => {
  const { requested, take } = await runScript(JSON.stringify({ user: params, userData: { role: 'Worker' } }))
  await take(issueToken)
  assert.deepEqual(
    requested,
    paths(issueToken, site, userDetails, taskListWorker, waiting, notifications, tasksForFavourites),
  )
})

test('the home of a worker requests what the budget of its requests counts', async () => {
  const { requested, take } = await runScript(null, '/dashboard')
  await take(issueToken)
  await take(userDetails)
  assert.deepEqual(requested.toSorted(), paths(...HOME_ENDPOINTS).toSorted())
})
