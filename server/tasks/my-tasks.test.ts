import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { MyTaskState } from '#contract/tasks.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  aSubmission,
  aTask,
  aWorker,
  dayFromNow,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { reserveSlot } from './reserve.ts'

describe('the tasks of a buyer', () => {
  const api = useApi()
  let buyer: TestUser
  let tasks: Record<'open' | 'filled' | 'ended', string>

  before(async () => {
    buyer = await aBuyer(api.database, { coins: 10_000 })
    const post = (title: string, days: number, slots = 5) =>
      aTask(api.database, buyer, { title, slots, reward: 10, day: dayFromNow(days) })
    tasks = {
      open: await post('Open one', 9),
      filled: await post('Filled one', 3, 1),
      ended: await post('Ended', 6),
    }
    await aSubmission(api.database, tasks.filled, await aWorker(api.database))
    await api.as(buyer).post(`/tasks/${tasks.ended}/close`)
  })

  type Listed = { _id: string }
  const listed = async (query = ''): Promise<string[]> =>
    (await api.as(buyer).get(`/my-task/${buyer.email}?${query}`)).body.map(({ _id }: Listed) => _id)

  test('they are filtered by state and by words, and totals count them', async () => {
    const expected: [MyTaskState, string[]][] = [
      ['open', [tasks.open]],
      ['filled', [tasks.filled]],
      ['ended', [tasks.ended]],
      ['review', [tasks.filled]],
    ]
    for (const [state, ids] of expected) assert.deepEqual(await listed(`state=${state}`), ids, state)
    assert.deepEqual(await listed('q=one&sort=newest'), [tasks.filled, tasks.open])
    assert.deepEqual(await listed('q=one&state=open'), [tasks.open])
    assert.deepEqual(await listed('q=---'), [], 'A search without a word finds nothing')
    assert.deepEqual((await api.as(buyer).get('/my-task-totals')).body, {
      all: 3,
      review: 1,
      open: 1,
      filled: 1,
      ended: 1,
      escrow: 60,
    })
  })

  test('every order pages without gaps or repeats, the latest deadline first by default', async () => {
    const orders = {
      '': [tasks.open, tasks.ended, tasks.filled],
      'sort=ending': [tasks.filled, tasks.ended, tasks.open],
      'sort=newest': [tasks.ended, tasks.filled, tasks.open],
    }
    for (const [query, expected] of Object.entries(orders)) {
      assert.deepEqual(await listed(query), expected)
      const paged: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path: string = `/my-task/${buyer.email}?limit=1&${query}${cursor && `&cursor=${cursor}`}`
        const { body, headers } = await api.as(buyer).get(path)
        paged.push(...body.map(({ _id }: Listed) => _id))
        cursor = (headers['x-next-cursor'] as string | undefined) ?? null
      }
      assert.deepEqual(paged, expected)
    }
  })

  test('progress counts the work on the own tasks only', async () => {
    const taskId = await aTask(api.database, buyer, { slots: 9, reward: 10 })
    const submit = async () => aSubmission(api.database, taskId, await aWorker(api.database))
    await approveSubmission(api.database, await submit(), buyer.id)
    await rejectSubmission(api.database, testConfig, await submit(), buyer.id, { reason: 'It is empty' })
    await submit()
    await submit()
    await reserveSlot(api.database, testConfig, taskId, (await aWorker(api.database)).id)
    const path = `/my-task-progress?tasks=${taskId}`
    const [progress] = (await api.as(buyer).get(path)).body
    assert.ok(progress.reviewBy)
    assert.deepEqual(progress, {
      taskId,
      reserved: 1,
      pending: 2,
      reviewBy: progress.reviewBy,
      unsettled: 1,
      approved: 1,
      rejected: 0,
      escrow: 80,
      held: false,
    })
    const other = await aBuyer(api.database)
    assert.deepEqual((await api.as(other).get(path)).body, [])
  })
})
