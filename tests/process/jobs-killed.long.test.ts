import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { eventually, jitter } from '#tests/support/eventually.ts'
import { aBuyer, aSubmission, aTask, aWorker, balanceOf, taskBody } from '#tests/support/factories.ts'
import { type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'

const TASKS = 200
const DRAFTS = 100
/** Each of the two instances is killed once. */
const KILLS = 2

describe('instances killed while they run jobs', () => {
  const db = useDatabase()

  test('due work happens once, whichever instance is killed at any moment', async () => {
    const { pool } = db.database
    const buyer = await aBuyer(db.database, { coins: TASKS * 20 })
    const worker = await aWorker(db.database)
    await pool.query('update identities set email_verified_at = now()')
    for (let count = 0; count < TASKS; count++) {
      const taskId = await aTask(db.database, buyer, { slots: 2, reward: 10 })
      await aSubmission(db.database, taskId, worker)
    }

    const scheduler = await aBuyer(db.database, { coins: DRAFTS * 20 })
    await pool.query('update identities set email_verified_at = now()')
    const draft = { ...taskBody({ slots: 2, reward: 10 }), task_image_url: '' }
    await pool.query(
      `insert into task_drafts (id, buyer_id, name, is_template, task, post_at)
       select gen_random_uuid(), $1, '', false, $2, now() + interval '1 hour' from generate_series(1, $3::int)`,
      [scheduler.id, draft, DRAFTS],
    )

    const env = {
      DATABASE_URL: db.url,
      DEMO: '0',
      AUTH_SECRET: 'one secret for both instances, long enough',
      // Slow enough that instances are killed while emails wait.
      EMAILS_PER_SECOND: '50',
    }
    const servers: ServerProcess[] = [await startServerProcess({ env }), await startServerProcess({ env })]
    const folders = servers.map(({ dataDir }) => dataDir)
    // From now on everything is due at once, and the instances are killed while they are at it.
    await pool.query(`update tasks set closes_at = now() - interval '1 second'`)
    await pool.query(`update submissions set due_at = now() - interval '1 second'`)
    await pool.query(`update task_drafts set post_at = now() - interval '1 second'`)
    for (let kill = 0; kill < KILLS; kill++) {
      await jitter(3000)
      const victim = servers[kill % 2]
      assert.ok(victim)
      const gone = once(victim.process, 'exit')
      victim.process.kill('SIGKILL')
      await gone
      // The other one has the rest after the last kill.
      if (kill < KILLS - 1) servers[kill % 2] = await startServerProcess({ env, dataDir: victim.dataDir })
      else servers.splice(kill % 2, 1)
    }

    const count = async (sql: string) => Number((await pool.query(sql)).rows[0].count)
    await eventually(
      async () =>
        (await count(`select count(*) from tasks where buyer_id = '${buyer.id}' and closed_at is null`)) ===
        0,
    )
    await eventually(
      async () => (await count(`select count(*) from submissions where status = 'pending'`)) === 0,
    )
    await eventually(async () => (await count('select count(*) from task_drafts')) === 0)
    await eventually(async () => (await count('select count(*) from outbox')) === 0)
    await eventually(
      async () =>
        (await count(
          `select count(*) from jobs.job where name in ('mail', 'mail-notifications') and state <> 'completed'`,
        )) === 0,
    )

    assert.equal(await balanceOf(db.database, worker), 10 + TASKS * 10)
    assert.equal(await balanceOf(db.database, buyer), 50 + TASKS * 10)
    assert.equal(await balanceOf(db.database, scheduler), 50)
    assert.equal(
      await count(`select count(*) from tasks where buyer_id = '${scheduler.id}' and closed_at is null`),
      DRAFTS,
    )
    const kinds = `select kind, count(*)::int from notifications group by kind order by kind`
    assert.deepEqual((await pool.query(kinds)).rows, [
      { kind: 'approved_by_time', count: TASKS },
      { kind: 'scheduled_task_posted', count: DRAFTS },
      { kind: 'submission_approved', count: TASKS },
      { kind: 'task_closed', count: TASKS },
      { kind: 'work_received', count: TASKS },
    ])
    // A mail that was on its way when its instance died may be sent again, under the same Message-ID.
    const ids = new Set<string>()
    for (const folder of folders) {
      // An instance that was killed before it sent anything has no folder yet.
      const names = existsSync(join(folder, 'mail')) ? await readdir(join(folder, 'mail')) : []
      // A file under another name was being written when its instance was killed.
      for (const name of names.filter((one) => one.endsWith('.json'))) {
        const mail = JSON.parse(await readFile(join(folder, 'mail', name), 'utf8'))
        if (mail.subject === 'Your work was approved') ids.add(mail.messageId)
      }
    }
    assert.equal(ids.size, TASKS)
    for (const server of servers) await server.stop()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })
})
