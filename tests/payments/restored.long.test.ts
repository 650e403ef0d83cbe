import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { UnmatchedPayment } from '#contract/unmatched-payments.ts'
import { backup } from '#server/backup/backup.ts'
import { restore } from '#server/backup/restore.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { type FakeCardProvider, startFakeCardProvider } from '#tests/chaos/purchases.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { inEmbedded } from '#tests/support/embedded-server.ts'
import { eventually } from '#tests/support/eventually.ts'
import { testConfig } from '#tests/support/factories.ts'
import { httpSignIn, httpSignUp, PASSWORD } from '#tests/support/http-client.ts'
import { copyPreparedData } from '#tests/support/prepared-data.ts'
import { type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'

const filesIn = (dataDir: string) => ({ ...testConfig, dataDir })
const BUYER = 'restored@example.com'
const ADMIN = 'admin@example.com'

describe('a backup from before a payment', () => {
  const folders: string[] = []
  let bank: FakeCardProvider | undefined
  let server: ServerProcess | undefined
  after(async () => {
    await server?.stop()
    await bank?.close()
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  })

  test('drill: after its restore the payment is found, credited by a decision, once, and the books balance', async () => {
    bank = await startFakeCardProvider()
    const env = { ...bank.env, DEMO: '0' }
    const [from, into, copies] = [await aFolder(), await aFolder(), await aFolder()]
    server = await startServerProcess({ dataDir: from, env })
    await setUpAdmin(server)
    const buyer = await httpSignUp(server.url, 'Buyer', BUYER)
    await inEmbedded(from, ({ pool }) => backup(pool, filesIn(from), join(copies, 'old'), () => {}))
    const { body: begun } = await buyer.call('POST', '/create-payment-intent', { price: 20 })
    const transactionId = bank.pay((begun as { clientSecret: string }).clientSecret)
    assert.equal((await buyer.call('POST', '/payment-success', { transactionId })).status, 200)
    assert.equal(await coinsOf(buyer), 550)
    await server.stop()

    copyPreparedData(into)
    const empty = await startEmbedded({ dataDir: into, log: () => {} })
    await inEmbedded(into, ({ pool }) => restore(pool, filesIn(into), join(copies, 'old'), () => {}))
    await empty.stop()
    server = await startServerProcess({ dataDir: into, env })
    const restored = await httpSignIn(server.url, BUYER)
    assert.equal(await coinsOf(restored), 50, 'the payment is not in the backup')
    const admin = await httpSignIn(server.url, ADMIN)
    let found: UnmatchedPayment | undefined
    await eventually(async () => {
      const { body } = await admin.call('GET', '/unmatched-payments')
      found = (body as UnmatchedPayment[]).find((one) => one.transactionId === transactionId)
      return found !== undefined
    })
    const path = `/unmatched-payments/${found?._id}`
    const decision = { decision: 'credit', reason: 'Paid after the backup' }
    const decided = await Promise.all([1, 2, 3].map(() => admin.call('PATCH', path, decision)))
    assert.deepEqual(
      decided.map(({ status }) => status).sort((a, b) => a - b),
      [200, 409, 409],
    )
    assert.equal(await coinsOf(restored), 550)
    await inEmbedded(into, expectBooksToBalance)
  })

  async function aFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'tallywork-restored-'))
    folders.push(folder)
    return folder
  }
})

async function setUpAdmin({ url, output }: ServerProcess): Promise<void> {
  const code = /#code=([\w-]+)/.exec(output)?.[1] ?? ''
  const response = await fetch(`${url}/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, name: 'First Admin', email: ADMIN, password: PASSWORD }),
  })
  assert.equal(response.status, 201, await response.text())
}

async function coinsOf(buyer: Awaited<ReturnType<typeof httpSignIn>>): Promise<number> {
  return ((await buyer.call('GET', `/coin-role/${buyer.email}`)).body as { coin: number }).coin
}
