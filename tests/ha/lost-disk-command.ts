import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { listBases } from '#server/backup/base-backup.ts'
import { destroy, inEmbedded, storedTasks } from '#tests/support/embedded-server.ts'
import { eventually, jitter } from '#tests/support/eventually.ts'
import { giveCoins, taskBody } from '#tests/support/factories.ts'
import { type HttpUser, httpSignUp } from '#tests/support/http-client.ts'
import { childEnvironment, startServerProcess } from '#tests/support/server-process.ts'

/**
 * `npm run lost-disk -- --rounds 5`: kills the server and its embedded database at a random moment while buyers write, deletes
 * their disk, recovers from the archive and counts what was acknowledged and is lost. Fails when the books do not balance, or a
 * task is lost that was acknowledged longer ago than the archive allows.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const ROOT = join(import.meta.dirname, '..', '..')
const BUYERS = 4
const COINS = 1_000_000
/** Longer than two timeouts of the archive, so that the moment is anywhere between two segments. */
const LOAD_MS = 22_000
const LOAD_JITTER_MS = 10_000
/** The timeout of the archive, and what a copy takes on a busy machine. */
const LOSS_MAX_MS = 20_000

type Loss = { acknowledged: number; lost: number; lostMs: number; recoveredMs: number }

const losses: Loss[] = []
for (let round = 0; round < Number(values.rounds); round++) {
  const loss = await loseDisk()
  losses.push(loss)
  const [lost, recovered] = [loss.lostMs, loss.recoveredMs].map((ms) => `${(ms / 1000).toFixed(1)} s`)
  console.log(
    `${loss.lost} of ${loss.acknowledged} acknowledged tasks lost, the oldest ${lost} before the end; recovered in ${recovered}`,
  )
}
const longest = Math.max(...losses.map(({ lostMs }) => lostMs))
console.log(`At most the last ${(longest / 1000).toFixed(1)} s were lost.`)
process.exitCode = longest < LOSS_MAX_MS ? 0 : 1

async function loseDisk(): Promise<Loss> {
  const folder = await mkdtemp(join(tmpdir(), 'tallywork-lost-disk-'))
  // Under root the database server has another user.
  await chmod(folder, 0o711)
  const [archive, dataDir, recoveredDir] = ['archive', 'data', 'recovered'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  try {
    const server = await startServerProcess({ dataDir, env: { WAL_ARCHIVE: archive, DEMO: '0' } })
    await eventually(async () => (await listBases(archive)).length === 1)
    const buyers = await Promise.all(
      Array.from({ length: BUYERS }, (_, index) => httpSignUp(server.url, 'Buyer', `b${index}@example.com`)),
    )
    await inEmbedded(dataDir, async (database) => {
      const { rows } = await database.pool.query<{ account_id: number }>('select account_id from users')
      for (const { account_id } of rows) await giveCoins(database, account_id, COINS)
    })
    const acknowledged = new Map<string, number>()
    let isOver = false
    const loads = Promise.all(
      buyers.map(async (buyer) => {
        while (!isOver) {
          const id = await postTask(buyer)
          if (id !== undefined) acknowledged.set(id, performance.now())
        }
      }),
    )
    await sleep(LOAD_MS)
    await jitter(LOAD_JITTER_MS)
    isOver = true
    const ended = performance.now()
    await destroy(server)
    await loads

    const began = performance.now()
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['server/backup/recover-command.ts', archive],
      { cwd: ROOT, encoding: 'utf8', env: { ...childEnvironment(), DATA_DIR: recoveredDir } },
    )
    if (status !== 0) throw new Error(`${stdout}${stderr}`)
    const recoveredMs = performance.now() - began
    const recovered = await startServerProcess({ dataDir: recoveredDir, env: { DEMO: '0' } })
    const stored = await storedTasks(recoveredDir)
    await recovered.stop()
    const lost = [...acknowledged].filter(([id]) => !stored.has(id)).map(([, time]) => time)
    const lostMs = lost.length === 0 ? 0 : Math.max(0, ended - Math.min(...lost))
    return { acknowledged: acknowledged.size, lost: lost.length, lostMs, recoveredMs }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the id of the task, and nothing when the server does not acknowledge it. */
async function postTask(buyer: HttpUser): Promise<string | undefined> {
  try {
    const { status, body } = await buyer.call('POST', '/add-task', taskBody({ slots: 1, reward: 1 }))
    return status === 200 ? (body as { insertedId: string }).insertedId : undefined
  } catch {
    return undefined
  }
}
