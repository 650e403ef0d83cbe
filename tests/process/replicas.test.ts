import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { ENDPOINTS } from '#contract/api.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { openReplicas, type Replicas } from '#server/database/replicas.ts'
import { startBackgroundLoad } from '#tests/support/background-load.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { LONG_TIMEOUTS } from '#tests/support/database.ts'
import { eventually, jitter } from '#tests/support/eventually.ts'
import { aBuyer, anAdmin, aTask, aWorker, taskBody } from '#tests/support/factories.ts'
import { anInstance, type Instance } from '#tests/support/instance.ts'
import { aReplicatedDatabase, type ReplicatedDatabase } from '#tests/support/replica.ts'

const OPTIONS = { max: 4, prepare: true }
/** Unique words, so that no other request shares the response of a search. */
let words = 0
const aWord = () => `unheard${++words}`

describe('read replicas', () => {
  let cluster: ReplicatedDatabase
  let database: Database
  const replicas: Replicas[] = []
  const instances: Instance[] = []
  const log: string[] = []

  before(async () => {
    cluster = await aReplicatedDatabase()
    database = openDatabase(
      { connectionString: cluster.primary.serverConnectionString, ...LONG_TIMEOUTS },
      OPTIONS,
    )
    for (let number = 0; number < 2; number++) {
      const url = cluster.replica.serverConnectionString
      const opened = openReplicas(database, [url], { ...OPTIONS, log: (line) => log.push(line) })
      replicas.push(opened)
      instances.push(await anInstance(database, {}, {}, opened))
    }
  })
  after(async () => {
    await expectBooksToBalance(database)
    for (const instance of instances) await instance.close()
    for (const opened of replicas) await opened.close()
    await database.close()
    await cluster.stop()
  })

  const counts = (index: number) => (instances[index] as Instance).app.replicaReads.counts

  /** Sends a GET request to an instance and returns the response, which must be a success. */
  async function get(index: number, path: string, authorization?: string) {
    const headers = authorization === undefined ? {} : { authorization }
    const { app } = instances[index] as Instance
    const response = await app.inject({ url: `/api${path}`, headers })
    assert.equal(response.statusCode, 200, `${path}: ${response.body}`)
    return response
  }
  const signIn = (user: { id: string; email: string; name: string }) =>
    (instances[0] as Instance).signIn(user)

  /** Waits until the replica serves public lists of an instance. */
  const untilUsed = (index: number) =>
    eventually(async () => {
      const { replica } = counts(index)
      await get(index, `/all-task?q=${aWord()}`)
      return counts(index).replica > replica
    })
  const untilUnused = (index: number) => eventually(() => replicas[index]?.choose() === undefined)

  // One that wrote would fail there, and be repeated on the primary every time.
  test('every read that may be stale runs on a replica', async () => {
    const buyer = await aBuyer(database, { coins: 100 })
    const paths: Record<string, string> = { ':id': await aTask(database, buyer) }
    const tokens = {
      admin: await signIn(await anAdmin(database)),
      worker: await signIn(await aWorker(database)),
    }
    await untilUsed(0)
    for (const { endpoint } of ENDPOINTS.filter((one) => one.endpoint.boundedStaleness)) {
      const isOfUsers = endpoint.path.startsWith('/users/')
      const path = endpoint.path.replace(':id', isOfUsers ? buyer.id : String(paths[':id']))
      const { who } = endpoint.access
      const isOfAdmins = Array.isArray(who) && who.includes('Admin')
      const token = who === 'anyone' ? undefined : isOfAdmins ? tokens.admin : tokens.worker
      await eventually(async () => {
        const { replica } = counts(0)
        await get(0, path, token)
        return counts(0).replica > replica
      })
    }
  })

  test('users find what they wrote through another instance, while the replica stands still', async () => {
    const buyer = await aBuyer(database, { coins: 100 })
    const authorization = await signIn(buyer)
    await untilUsed(1)
    await cluster.onReplica('select pg_wal_replay_pause()')
    const word = aWord()
    const posted = await (instances[0] as Instance).app.inject({
      method: 'POST',
      url: '/api/add-task',
      headers: { authorization },
      payload: taskBody({ title: `A task ${word}` }),
    })
    assert.equal(posted.statusCode, 200)
    const { insertedId } = posted.json<{ insertedId: string }>()
    for (const index of [0, 1]) {
      assert.equal((await get(index, `/task-datails/${insertedId}`, authorization)).json()._id, insertedId)
      assert.equal((await get(index, `/all-task?q=${word}`, authorization)).json().length, 1)
    }
    // Others read from the primary as soon as the replica is too far behind, and a details page never misses a task.
    assert.equal(
      (await get(1, `/task-datails/${insertedId}`, await signIn(await aWorker(database)))).statusCode,
      200,
    )
    await untilUnused(1)
    await eventually(() => log.some((line) => / is not used: it is behind\.$/.test(line)))
    assert.equal((await get(1, `/all-task?q=${word}&limit=9`)).json().length, 1)
    await cluster.onReplica('select pg_wal_replay_resume()')
    await untilUsed(1)
  })

  test('nothing fails when the replica is killed, and it is used again when it is back', async () => {
    await untilUsed(0)
    const reads = startBackgroundLoad(1, async () => {
      await get(0, `/all-task?q=${aWord()}`)
      await jitter(40)
    })
    try {
      process.kill(cluster.replica.pid, 'SIGKILL')
      await untilUnused(0)
      await untilUsed(0)
    } finally {
      await reads.stop()
    }
  })

  test('a lost connection to the primary makes every replica prove itself again', async () => {
    await untilUsed(0)
    replicas[0]?.distrust()
    assert.equal(replicas[0]?.choose(), undefined)
    await untilUsed(0)
  })

  test('the primary in the list of all nodes is known as such, and not used', async () => {
    const urls = [cluster.primary, cluster.replica].map(
      ({ serverConnectionString }) => serverConnectionString,
    )
    const nodes = openReplicas(database, urls, { ...OPTIONS, log: () => {} })
    await eventually(() => nodes.states().some(({ isUsed }) => isUsed) && nodes.states()[0]?.isPrimary)
    assert.deepEqual(
      nodes.states().map(({ isPrimary, isUsed }) => ({ isPrimary, isUsed })),
      [
        { isPrimary: true, isUsed: false },
        { isPrimary: false, isUsed: true },
      ],
    )
    await nodes.close()
  })

  test('a server of another cluster and a promoted replica are not used', async (t) => {
    // A new one: those of the tests are copies of one cluster, and so is this primary.
    const folder = await mkdtemp(join(tmpdir(), 'tallywork-stranger-'))
    // Under root the database server has another user.
    await chmod(folder, 0o711)
    const other = await startEmbedded({ dataDir: join(folder, 'other'), log: () => {} })
    t.after(async () => {
      await other.stop()
      await rm(folder, { recursive: true, force: true })
    })
    const owner = new pg.Client({ connectionString: other.connectionString })
    await owner.connect()
    // All that a replica is asked for, without the cost of all migrations.
    await owner.query('create table replica_tokens (token uuid)')
    await owner.end()
    const urls = [other.connectionString]
    const stranger = openReplicas(database, urls, { ...OPTIONS, log: (line) => log.push(line) })
    await eventually(() => log.some((line) => / is not used: it belongs to another cluster\.$/.test(line)))
    assert.equal(stranger.choose(), undefined)
    await stranger.close()

    await cluster.onReplica('select pg_promote()')
    await eventually(() => log.some((line) => / is not used: it is another primary\.$/.test(line)))
    await untilUnused(0)
    assert.equal(replicas[0]?.states()[0]?.isPrimary, false)
    await get(0, `/all-task?q=${aWord()}`)
  })
})
