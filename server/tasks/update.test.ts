import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { useDatabase } from '#tests/support/database.ts'
import {
  aBuyer,
  aPendingSubmission,
  aSubmission,
  aTask,
  aWorker,
  noAppeals,
} from '#tests/support/factories.ts'
import { deleteTask } from './delete.ts'
import { taskById, taskTextOfSubmission } from './queries.ts'
import { updateTask } from './update.ts'

describe('versions of a task', () => {
  const db = useDatabase()
  const edit = (title: string) => ({
    task_title: title,
    task_detail: 'Look closely.',
    submission_info: 'A list',
  })
  const versionOf = async (taskId: string, viewer: { id: string }) =>
    (await taskById(db.database, taskId, viewer.id))[0]?.version
  const textOf = async (submissionId: string) => {
    const [text] = await taskTextOfSubmission(db.database, submissionId)
    return [text?.title, text?.task_version, text?.current]
  }

  test('work keeps the text that it was made for when the buyer edits the task', async () => {
    const { buyer, taskId, submissionId } = await aPendingSubmission(db.database, { title: 'First' })
    await updateTask(db.database, taskId, buyer.id, edit('Second'))
    const later = await aSubmission(db.database, taskId, await aWorker(db.database))
    await updateTask(db.database, taskId, buyer.id, edit('Third'))
    assert.deepEqual(await textOf(submissionId), ['First', 1, false])
    assert.deepEqual(await textOf(later), ['Second', 2, false])
    const last = await aSubmission(db.database, taskId, await aWorker(db.database))
    assert.deepEqual(await textOf(last), ['Third', 3, true])
  })

  test('a category is corrected without a new version, and kept by an edit that names none', async () => {
    const { buyer, taskId, submissionId } = await aPendingSubmission(db.database, { title: 'First' })
    const categoryOf = async () => (await taskById(db.database, taskId, buyer.id))[0]?.category
    const guessed = await categoryOf()
    await updateTask(db.database, taskId, buyer.id, edit('Second'))
    assert.equal(await categoryOf(), guessed)
    await updateTask(db.database, taskId, buyer.id, { ...edit('Second'), category: 'translation' })
    assert.deepEqual(
      [await categoryOf(), await versionOf(taskId, buyer), await textOf(submissionId)],
      ['translation', 2, ['First', 1, false]],
    )
  })

  test('of two edits of one version, the second does not overwrite the first', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer)
    const editFirst = (title: string) =>
      updateTask(db.database, taskId, buyer.id, { ...edit(title), taskVersion: 1 })
    await editFirst('Second')
    await assert.rejects(editFirst('Another second'), { message: 'state_conflict.task_text' })
    await editFirst('Second')
    assert.equal((await taskById(db.database, taskId, buyer.id))[0]?.title, 'Second')
    await updateTask(db.database, taskId, buyer.id, edit('Third'))
    assert.equal(await versionOf(taskId, buyer), 3)
  })

  test('rejected work keeps its text too', async () => {
    const { buyer, taskId, submissionId } = await aPendingSubmission(db.database, { title: 'First' })
    await rejectSubmission(db.database, noAppeals, submissionId, buyer.id, { reason: 'No' })
    await updateTask(db.database, taskId, buyer.id, edit('Second'))
    assert.deepEqual(await textOf(submissionId), ['First', 1, false])
  })

  test('an edit keeps no text that nobody worked on, and makes no version when it changes nothing', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer)
    await updateTask(db.database, taskId, buyer.id, edit('Second'))
    assert.equal(await versionOf(taskId, buyer), 2)
    const { rowCount } = await db.database.pool.query('select from task_versions where task_id = $1', [
      taskId,
    ])
    assert.equal(rowCount, 0)
    const submissionId = await aSubmission(db.database, taskId, await aWorker(db.database))
    await updateTask(db.database, taskId, buyer.id, edit('Second'))
    assert.equal(await versionOf(taskId, buyer), 2)
    assert.deepEqual(await textOf(submissionId), ['Second', 2, true])
  })

  test('work submitted at the moment of an edit has the text of its version', async () => {
    for (let round = 0; round < 15; round++) {
      const { buyer, taskId, submissionId: first } = await aPendingSubmission(db.database, { title: 'First' })
      const worker = await aWorker(db.database)
      const [, submissionId] = await Promise.all([
        updateTask(db.database, taskId, buyer.id, edit('Second')),
        aSubmission(db.database, taskId, worker),
        updateTask(db.database, taskId, buyer.id, edit('Third')),
      ])
      await updateTask(db.database, taskId, buyer.id, edit('Last'))
      const [title, version, current] = await textOf(submissionId)
      assert.equal(current, false)
      assert.deepEqual(await textOf(first), ['First', 1, false])
      const { rows } = await db.database.pool.query(
        'select title from task_versions where task_id = $1 and version = $2',
        [taskId, version],
      )
      assert.deepEqual(rows, [{ title }])
    }
  })

  test('a deleted task cannot be edited', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer)
    await deleteTask(db.database, taskId, buyer)
    await assert.rejects(updateTask(db.database, taskId, buyer.id, edit('x')), { message: 'task_not_found' })
  })
})
