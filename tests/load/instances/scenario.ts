import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type HttpUser, httpSignUp, PASSWORD } from '#tests/support/http-client.ts'

type TestResponse = {
  status: number
  body: {
    insertedId: string
    modifiedCount: number
    deletedCount: number
    coin: number
    worker: number
    status: string
  }[] & { insertedId: string; modifiedCount: number; coin: number; worker: number }
}

const many = <T>(times: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, index) => work(index)))
const good = (responses: { status: number }[]) => responses.filter(({ status }) => status < 300).length
const email = (name: string) => `${name}.${randomUUID().slice(0, 8)}@example.com`
const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
const task = (slots: number, reward: number) => ({
  task_title: 'Label ten photos',
  task_detail: 'Say what each one shows.',
  required_workers: slots,
  payable_amount: reward,
  completion_date: day,
  submission_info: 'Ten lines',
  task_image_url: '',
})

/**
 * What must hold however many servers respond: the races of the coins, one attempt per key, an end of session that acts
 * everywhere. `url` is the balancer's; `direct` are the servers' own. Returns what was proved, sentence by sentence.
 */
export async function runScenario(url: string, direct: string[]): Promise<string[]> {
  const proved: string[] = []
  const buyer = await httpSignUp(url, 'Buyer', email('buyer'))
  const workers = await many(8, (index) => httpSignUp(url, 'Worker', email(`worker${index}`)))
  const call = async (user: HttpUser, ...rest: Parameters<HttpUser['call']>) =>
    (await user.call(...rest)) as unknown as TestResponse
  const coins = async (user: HttpUser) => (await call(user, 'GET', `/coin-role/${user.email}`)).body.coin

  const posted = await many(10, () => call(buyer, 'POST', '/add-task', task(2, 10)))
  assert.equal(good(posted), 2, 'ten tasks of 20 coins at once, out of 50')
  assert.equal(await coins(buyer), 10)
  proved.push('ten tasks at once through both servers spend no coin twice')

  const id = posted.find(({ status }) => status < 300)?.body.insertedId ?? ''
  const handedIn = await many(8, (index) =>
    call(workers[index] as HttpUser, 'POST', '/submiteted-task', {
      taskId: id,
      submissoin_data: 'Here it is.',
    }),
  )
  assert.equal(good(handedIn), 2)
  proved.push('eight workers race for two slots, and two get one')

  const work = handedIn.find(({ status }) => status < 300)?.body.insertedId ?? ''
  const winner = workers[handedIn.findIndex(({ body }) => body.insertedId === work)] as HttpUser
  const approvals = await many(20, () =>
    call(buyer, 'PATCH', `/update-submission-status/${work}`, { status: 'approved' }),
  )
  assert.equal(
    approvals.reduce((sum, { body }) => sum + body.modifiedCount, 0),
    1,
  )
  assert.equal(await coins(winner), 20)
  proved.push('twenty approvals at once pay once')

  const other = handedIn.findLast(({ status }) => status < 300)?.body.insertedId ?? ''
  const decisions = await many(10, (index) =>
    index % 2 === 0
      ? call(buyer, 'PATCH', `/update-submission-status/${other}`, { status: 'approved' })
      : call(buyer, 'DELETE', `/submission-reject/${other}`, { reason: 'No.' }),
  )
  assert.deepEqual(
    [...new Set(decisions.map(({ status }) => status))].sort((a, b) => a - b),
    [200, 409],
  )
  proved.push('approving and rejecting race, and one of them wins')

  const rich = await httpSignUp(url, 'Buyer', email('keyed'))
  const key = randomUUID()
  const keyed = await many(10, () => call(rich, 'POST', '/add-task', task(1, 5), { 'idempotency-key': key }))
  const ids = new Set(keyed.filter(({ status }) => status < 300).map(({ body }) => body.insertedId))
  assert.equal(ids.size, 1)
  assert.equal(await coins(rich), 45)
  proved.push('one attempt under one key, whichever server is asked')

  const { cookie, token } = await signIn(url, rich.email)
  const ask = (at: string) =>
    fetch(`${at}/api/coin-role/${rich.email}`, { headers: { authorization: `Bearer ${token}` } })
  for (const at of direct) assert.equal((await ask(at)).status, 200)
  await fetch(`${direct[0]}/api/auth/sign-out`, { method: 'POST', headers: { cookie } })
  for (const at of direct) assert.equal((await ask(at)).status, 401)
  proved.push('signing out at one server ends the token at the other, which had seen it')
  return proved
}

async function signIn(url: string, address: string): Promise<{ cookie: string; token: string }> {
  const response = await fetch(`${url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: address, password: PASSWORD }),
  })
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const issued = await fetch(`${url}/api/auth/token`, { method: 'POST', headers: { cookie } })
  const { token } = (await issued.json()) as { token: string }
  return { cookie, token }
}
