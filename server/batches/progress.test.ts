import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approveSubmission } from '#server/submissions/approve.ts'
import { closeTask } from '#server/tasks/close.ts'
import { enableApiEvents, eventsOf } from '#tests/support/api-events.ts'
import { anOpenBatch } from '#tests/support/batches.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aWorker, testConfig } from '#tests/support/factories.ts'
import { submitItem, takeItem } from './items.ts'
import { announceBatchProgress } from './progress.ts'

describe('the progress of a batch', () => {
  const db = useDatabase()

  test('each tenth is announced once, and the end once', async () => {
    const { database } = db
    const { buyer, id, taskId } = await anOpenBatch(database, { items: 5, content: { workersPerItem: 1 } })
    await enableApiEvents(database, buyer)
    const worker = await aWorker(database)
    const events = async () =>
      (await eventsOf(database, buyer))
        .filter(({ type }) => type.startsWith('batch.'))
        .map(({ type, data }) => [type, data])
    const approved = async () => {
      const { number } = await takeItem(database, testConfig, taskId, worker.id)
      const item = { taskId, number }
      const submission = await submitItem(database, testConfig, item, worker.id, { kind: 'Shop' })
      await approveSubmission(database, submission, buyer.id)
    }
    assert.equal(await announceBatchProgress(database), 0)
    await approved()
    await approved()
    assert.equal(await announceBatchProgress(database), 1)
    assert.equal(await announceBatchProgress(database), 0)
    const batch = { batchId: id, taskId, taskTitle: 'Name the kind of a shop', slots: 5 }
    const progress = ['batch.progress', { ...batch, approved: 2, percent: 40 }]
    assert.deepEqual(await events(), [progress])
    await approved()
    await closeTask(database, taskId, buyer.id)
    const runs = [announceBatchProgress(database), announceBatchProgress(database)]
    assert.equal(
      (await Promise.all(runs)).reduce((sum, count) => sum + count),
      1,
    )
    assert.deepEqual(await events(), [progress, ['batch.finished', { ...batch, approved: 3 }]])
  })
})
