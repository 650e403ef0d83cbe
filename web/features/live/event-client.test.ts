import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { pathOf } from '#contract/endpoint.ts'
import { notifications } from '#contract/notifications.ts'
import { myTask } from '#contract/tasks.ts'
import { connectEvents } from '#web/features/live/event-client.ts'
import { call } from '#web/lib/api.ts'
import { queryClient, queryOf } from '#web/lib/queries.ts'
import { server, setOnline } from '#web/testing/app.tsx'
import { aNotification, aTask, aUser } from '#web/testing/records.ts'

let refetches = 0
let disconnect = () => {}

describe('the client of live events', () => {
  beforeEach(() => {
    refetches = 0
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  })
  afterEach(() => {
    disconnect()
    mock.timers.reset()
    delete window.earlyResponses
  })

  /** Lets promises and streams settle, without any time passing. */
  async function settle() {
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  }

  async function connect() {
    server.signIn(aUser('Buyer'))
    disconnect = connectEvents(queryClient, async () => void refetches++)
    await settle()
  }

  async function send(event: string, data: unknown, id?: string) {
    server.send(event, data, id)
    await settle()
  }

  async function pass(ms: number) {
    mock.timers.tick(ms)
    await settle()
  }

  test('a stream that ends is opened again, from after the last event', async () => {
    await connect()
    await send('connected', { resumed: false }, '7')
    server.closeStreams()
    await settle()
    assert.equal(server.openStreams, 0)
    await pass(750)
    assert.equal(server.openStreams, 1)
    assert.deepEqual(server.connections, [null, '7'])
  })

  test('each failed attempt waits longer than the one before', async () => {
    await connect()
    server.offline = true
    server.closeStreams()
    await settle()
    await pass(750)
    server.offline = false
    await pass(999)
    assert.equal(server.openStreams, 0, 'the second attempt waits at least a second')
    await pass(2001)
    assert.equal(server.openStreams, 1)
  })

  test('a silent connection is given up and opened again', async () => {
    await connect()
    await send('connected', { resumed: false })
    await pass(24_000)
    assert.equal(server.connections.length, 1)
    await pass(1_000)
    await pass(750)
    assert.equal(server.connections.length, 2)
  })

  test('an event keeps the connection alive', async () => {
    await connect()
    await send('connected', { resumed: false })
    await pass(20_000)
    await send('tasks', { tasks: [] })
    await pass(20_000)
    assert.equal(server.connections.length, 1)
  })

  test('the network coming back connects at once', async () => {
    await connect()
    setOnline(false)
    server.closeStreams()
    await settle()
    setOnline(true)
    await settle()
    assert.equal(server.openStreams, 1)
  })

  test('while there is no connection the user is read at intervals', async () => {
    await connect()
    server.offline = true
    server.closeStreams()
    await settle()
    const before = refetches
    await pass(20_000)
    assert.ok(refetches > before)
  })

  test('a new balance reads the user again, the same balance does not', async () => {
    await connect()
    await send('connected', { resumed: true })
    await send('update', { about: [], coin: 500, notices: [] })
    const before = refetches
    await send('update', { about: ['tasks'], coin: 500, notices: [] })
    assert.equal(refetches, before)
    await send('update', { about: [], coin: 525, notices: [] })
    assert.equal(refetches, before + 1)
  })

  test('slots left change on the screen without a request', async () => {
    const task = aTask({ worker: 4 })
    const query = queryOf(myTask, { params: { email: 'buyer@example.com' } })
    queryClient.setQueryData(query.queryKey, [task])
    await connect()
    await send('connected', { resumed: true })
    await send('tasks', { tasks: [{ _id: task._id, worker: 3, isClosed: false }] })
    assert.equal(queryClient.getQueryData(query.queryKey)?.[0]?.worker, 3)
  })

  test('slots left stay changed after a response that was requested before', async () => {
    const task = aTask({ worker: 4 })
    const query = queryOf(myTask, { params: { email: 'buyer@example.com' } })
    server.serve(myTask, [task])
    const held = server.hold(myTask)
    await connect()
    await send('connected', { resumed: true })
    const loaded = queryClient.fetchQuery(query)
    await send('tasks', { tasks: [{ _id: task._id, worker: 3, isClosed: false }] })
    held.release()
    await loaded
    await settle()
    assert.equal(queryClient.getQueryData(query.queryKey)?.[0]?.worker, 3)
  })

  test('slots left stay changed when a request that was in flight is cancelled', async () => {
    const task = aTask({ worker: 4 })
    const query = queryOf(myTask, { params: { email: 'buyer@example.com' } })
    queryClient.setQueryData(query.queryKey, [task])
    server.serve(myTask, [task])
    const held = server.hold(myTask)
    await connect()
    await send('connected', { resumed: true })
    const loaded = queryClient.fetchQuery({ ...query, staleTime: 0 })
    await send('tasks', { tasks: [{ _id: task._id, worker: 3, isClosed: false }] })
    await queryClient.cancelQueries({ queryKey: query.queryKey })
    held.release()
    await loaded
    await settle()
    assert.equal(queryClient.getQueryData(query.queryKey)?.[0]?.worker, 3)
  })

  test('what the page has requested before an event is not shown after it', async () => {
    const params = { email: 'buyer@example.com' }
    server.serve(notifications, [aNotification()])
    const countAfter = async (event: string, data: unknown) => {
      const early = Promise.resolve(Response.json([]))
      window.earlyResponses = new Map([[pathOf(notifications, params), early]])
      await send(event, data)
      return (await call(notifications, { params })).length
    }
    await connect()
    assert.equal(await countAfter('connected', { resumed: true }), 0)
    assert.equal(await countAfter('update', { about: [], coin: 500, notices: [] }), 1)
    assert.equal(await countAfter('tasks', { tasks: [] }), 1)
    assert.equal(await countAfter('connected', { resumed: false }), 1)
  })

  test('after a gap everything on the screen is out of date', async () => {
    const query = queryOf(myTask, { params: { email: 'buyer@example.com' } })
    queryClient.setQueryData(query.queryKey, [])
    await connect()
    await send('connected', { resumed: true })
    assert.equal(queryClient.getQueryState(query.queryKey)?.isInvalidated, false)
    server.closeStreams()
    await settle()
    await pass(750)
    await send('connected', { resumed: false })
    assert.equal(queryClient.getQueryState(query.queryKey)?.isInvalidated, true)
  })

  test('an expired token is replaced for the next attempt', async () => {
    await connect()
    server.expireTokens()
    server.closeStreams()
    await settle()
    await pass(750)
    await pass(3_000)
    assert.equal(server.openStreams, 1)
  })

  test('disconnecting closes the stream and never opens it again', async () => {
    await connect()
    disconnect()
    await settle()
    assert.equal(server.openStreams, 0)
    await pass(60_000)
    assert.equal(server.connections.length, 1)
  })
})
