import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueToken, stepUp } from '#contract/auth.ts'
import { pathOf } from '#contract/endpoint.ts'
import { uploadImage } from '#contract/images.ts'
import { statement } from '#contract/ledger.ts'
import { paymentSuccess } from '#contract/payments.ts'
import { allTask, deleteTask, myTask } from '#contract/tasks.ts'
import { appendToUpload } from '#contract/uploads.ts'
import { userDetails } from '#contract/users.ts'
import {
  ApiError,
  call,
  callPage,
  download,
  errorMessage,
  isRefusal,
  sendBytes,
  uploadFile,
} from '#web/lib/api.ts'
import { getIdentity, onIdentityChange, resetToken } from '#web/lib/id-token.ts'
import { uploadPicture } from '#web/lib/upload-picture.ts'
import { server } from '#web/testing/app.tsx'
import { anId, aStoredImage, aTask, aUser } from '#web/testing/records.ts'

/** What a call threw. */
async function errorOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ApiError, `threw ${String(error)}`)
  return error
}

test('an error response is thrown with its status, code, message and fields', async () => {
  server.signIn(aUser('Buyer'))
  server.refuse(deleteTask, 'invalid_fields', 'Correct the fields.', { id: 'Unknown' })
  const error = await errorOf(call(deleteTask, { params: { id: anId() } }))
  assert.deepEqual([error.status, error.code, error.fields], [422, 'invalid_fields', { id: 'Unknown' }])
  assert.equal(errorMessage(error), 'Correct the fields.')
})

test('a visitor asks for public lists without waiting for a token', async () => {
  server.serve(allTask, [])
  await call(allTask, {})
  assert.equal(server.received(allTask)[0]?.headers.get('authorization'), null)
  assert.equal(server.tokensIssued, 0)
})

test('a request without a network is thrown as offline, with a sentence to show', async () => {
  server.offline = true
  const error = await errorOf(call(allTask, {}))
  assert.deepEqual([error.status, error.code], [0, 'offline'])
  assert.match(errorMessage(error), /connection/i)
})

/** Returns a response whose connection breaks after its headers. */
function cutResponse(): Response {
  const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('network error')) })
  return new Response(body, { status: 200 })
}

test('a connection that breaks during the body of a response is thrown as offline', async () => {
  server.signIn(aUser('Worker'))
  await getIdentity()
  globalThis.fetch = async () => cutResponse()
  const { signal } = new AbortController()
  const image = new Blob(['pixels'])
  const input = { params: { id: anId() }, query: { offset: 0 } }
  for (const work of [
    call(allTask, {}),
    callPage(allTask, {}),
    sendBytes(appendToUpload, input, image, signal),
    uploadFile(uploadImage, {}, 'image', image),
    download(allTask, {}),
  ]) {
    const error = await errorOf(work)
    assert.deepEqual([error.status, error.code], [0, 'offline'])
  }
})

test('an error response that is no JSON of ours is thrown as internal', async () => {
  globalThis.fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502 })
  const error = await errorOf(call(allTask, {}))
  assert.deepEqual([error.status, error.code], [502, 'internal'])
})

test('an error that is none of the API has one general message', () => {
  assert.equal(errorMessage(new TypeError('x is undefined')), errorMessage(new Error('other')))
  assert.doesNotMatch(errorMessage(new TypeError('x is undefined')), /undefined/)
})

test('a cancelled request is thrown as cancelled, not as offline', async () => {
  server.serve(allTask, [])
  const cancel = new AbortController()
  server.hold(allTask)
  const request = call(allTask, {}, { signal: cancel.signal })
  cancel.abort()
  await assert.rejects(request, { name: 'AbortError' })
})

test('parameters are encoded into the path, and empty filters are not sent', async () => {
  const buyer = aUser('Buyer', { email: 'a+b@example.com' })
  server.signIn(buyer)
  server.serve(myTask, [])
  server.serve(allTask, [])
  await call(myTask, { params: { email: buyer.email } })
  assert.equal(server.received(myTask)[0]?.params.email, 'a+b@example.com')
  await call(allTask, { query: { q: '', sort: undefined, pay_min: 5 } })
  assert.deepEqual(server.received(allTask)[0]?.query, { pay_min: '5' })
})

test('only an endpoint that needs a proof asks for one, so that a refused proof does not ask for another', async () => {
  server.signIn(aUser('Admin'))
  server.refuse(stepUp, 'proof_required', 'Use your second factor.')
  const error = await errorOf(call(stepUp, { body: { currentPassword: 'Sesame!open' } }))
  assert.equal(error.message, 'Use your second factor.')
})

test('a page of a list says how to continue and how many there are', async () => {
  server.serveList(allTask, [aTask(), aTask(), aTask()])
  const first = await callPage(allTask, { query: { limit: 2 } })
  assert.deepEqual([first.reply.length, first.next, first.total], [2, '2', 3])
  const last = await callPage(allTask, { query: { limit: 2, cursor: '2' } })
  assert.deepEqual([last.reply.length, last.next], [1, null])
})

test('a write carries its idempotency key', async () => {
  server.signIn(aUser('Buyer'))
  server.serve(paymentSuccess, {
    acknowledged: true,
    insertedId: anId(),
    repaid: 0,
    debt: 0,
    coin: 10,
    status: 'credited',
  })
  await call(paymentSuccess, { body: { transactionId: 'pi_1' } }, { idempotencyKey: 'key-1' })
  assert.equal(server.received(paymentSuccess)[0]?.headers.get('idempotency-key'), 'key-1')
})

test('a picture is uploaded as a file under its field name', async () => {
  server.signIn(aUser('Buyer'))
  server.serve(uploadImage, ({ body }) => aStoredImage(`/images/${(body.get('image') as File).name}`))
  const file = new File(['pixels'], 'me.png', { type: 'image/png' })
  assert.match((await uploadPicture(file)).data.display_url, /me\.png$/)
})

test('requests at the same time ask for one ID token', async () => {
  const worker = aUser('Worker')
  server.signIn(worker)
  const params = { email: worker.email }
  await Promise.all([call(userDetails, { params }), call(userDetails, { params }), getIdentity()])
  assert.equal(server.tokensIssued, 1)
})

test('a token that is no longer accepted is replaced once, and the request sent again', async () => {
  const worker = aUser('Worker')
  server.signIn(worker)
  await getIdentity()
  server.expireTokens()
  assert.equal((await call(userDetails, { params: { email: worker.email } })).email, worker.email)
  assert.equal(server.tokensIssued, 2)
})

test('a request after the session ended is refused, without a third attempt', async () => {
  const worker = aUser('Worker')
  server.signIn(worker)
  await getIdentity()
  server.signOut()
  server.serve(statement, [])
  const error = await errorOf(call(statement, { params: { email: worker.email } }))
  assert.equal(error.status, 401)
  assert.equal(server.tokensIssued, 1)
})

test('a write is not retried as another user who has signed in meanwhile', async () => {
  server.signIn(aUser('Buyer'))
  await getIdentity()
  server.signIn(aUser('Buyer'))
  server.serve(deleteTask, { acknowledged: true, deletedCount: 1, isCompleted: false, refund: 0 })
  const error = await errorOf(call(deleteTask, { params: { id: anId() } }))
  assert.equal(error.status, 401)
  assert.equal(server.received(deleteTask).length, 0)
})

test('a token is replaced before it ends', async () => {
  const worker = aUser('Worker')
  server.tokenLifetimeMs = 60_000
  server.signIn(worker)
  await getIdentity()
  const later = performance.now() + 31_000
  const now = performance.now
  performance.now = () => later
  try {
    await getIdentity()
  } finally {
    performance.now = now
  }
  assert.equal(server.tokensIssued, 2)
})

test('a renewal that finds another user reports it', async () => {
  const seen: (string | undefined)[] = []
  const stop = onIdentityChange((found) => seen.push(found?.email))
  const first = aUser('Worker')
  server.signIn(first)
  await getIdentity()
  const second = aUser('Worker')
  server.signIn(second)
  server.serve(allTask, [])
  await call(userDetails, { params: { email: second.email } })
  stop()
  assert.deepEqual(seen, [second.email])
})

test('a token that was requested before the session changed is not used', async () => {
  const first = aUser('Worker')
  server.signIn(first)
  const url = pathOf(issueToken)
  const response = await server.fetch(url, { method: issueToken.method })
  const { promise, resolve } = Promise.withResolvers<Response>()
  window.earlyResponses = new Map([[url, promise]])
  const before = getIdentity()
  const second = aUser('Worker')
  server.signIn(second)
  resetToken()
  const after = getIdentity()
  resolve(response)
  for (const identity of [await before, await after, await getIdentity()])
    assert.equal(identity?.email, second.email)
  assert.equal(server.tokensIssued, 2)
})

test('a missing session, a limit and an error of the server are no refusal', () => {
  const statuses = [0, 400, 401, 403, 404, 408, 409, 422, 429, 500, 503]
  assert.deepEqual(
    statuses.filter((status) => isRefusal(new ApiError(status, 'internal', ''))),
    [400, 403, 404, 409, 422],
  )
  assert.equal(isRefusal(new TypeError('No connection')), false)
})

test('where the browser blocks the data of sites, a visitor reads public lists', async (context) => {
  const blocked = () => {
    throw new DOMException('The request was denied.', 'SecurityError')
  }
  server.serve(allTask, [])
  context.mock.getter(globalThis, 'localStorage', blocked)
  assert.deepEqual(await call(allTask, {}), [])
  context.mock.restoreAll()
})
