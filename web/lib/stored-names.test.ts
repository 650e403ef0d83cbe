import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { createDecisionStore, hasStoredDecisions } from '#web/features/review/decision-store.ts'
import { readUnsent } from '#web/features/submissions/unsent-work.ts'
import { readDraft } from '#web/lib/drafts.ts'
import { TRANSFER_KEY } from '#web/lib/language-switch.ts'
import { readLastSession, SAVED_REPLIES, UPLOAD_FILES } from '#web/lib/last-session.ts'
import { moveToUserId } from '#web/lib/move-to-user-id.ts'

const ASHA = { _id: 'asha', email: 'asha@example.com' }

afterEach(() => localStorage.clear())

/** Browsers have what users typed and chose under these names: with another name it would be lost, and never deleted. */
describe('what an earlier version has stored in a browser', () => {
  test('is the last session', () => {
    const session = { user: { email: ASHA.email }, userData: null }
    localStorage.setItem('last-session', JSON.stringify(session))
    assert.deepEqual(readLastSession(), session)
  })

  test('is work that has not been sent, of a task and of an item', () => {
    localStorage.setItem('unsent asha task-1', '{"title":"Label a photo"}')
    localStorage.setItem('unsent asha task-1 7', '{"title":"Item 7"}')
    assert.equal(readUnsent({ userId: 'asha', taskId: 'task-1' })?.title, 'Label a photo')
    assert.equal(readUnsent({ userId: 'asha', taskId: 'task-1', item: { number: 7 } })?.title, 'Item 7')
  })

  test('is a decision that has not been sent', () => {
    localStorage.setItem('decision asha work-1', '{"work":{"id":"work-1"}}')
    assert.ok(hasStoredDecisions('asha'))
    assert.equal(createDecisionStore('asha').get('work-1')?.work.id, 'work-1')
  })

  test('under the email of a user is found under their id, and that of others stays', () => {
    const work = { email: ASHA.email, title: 'Label a photo' }
    localStorage.setItem(`unsent ${ASHA.email} task-1`, JSON.stringify(work))
    localStorage.setItem(`decision ${ASHA.email} work-1`, '{"work":{"id":"work-1"}}')
    localStorage.setItem(`draft add-task ${ASHA.email}`, '{"task_title":"Count boats"}')
    localStorage.setItem(`draft decline request-1 ${ASHA.email}`, '{"text":"Wrong number"}')
    localStorage.setItem('push-owner', ASHA.email)
    localStorage.setItem('draft add-task natasha@example.com', '{"task_title":"Not hers"}')
    moveToUserId(ASHA)
    assert.equal(readUnsent({ userId: 'asha', taskId: 'task-1' })?.userId, 'asha')
    assert.equal(createDecisionStore('asha').list().length, 1)
    assert.deepEqual(readDraft('add-task asha', {}), { task_title: 'Count boats' })
    assert.deepEqual(readDraft('decline request-1 asha', {}), { text: 'Wrong number' })
    assert.equal(localStorage.getItem('push-owner-id'), 'asha')
    assert.equal(localStorage.getItem('push-owner'), ASHA.email, 'for an open page of that version')
    assert.deepEqual(
      Object.keys(localStorage).filter((key) => key.includes('@')),
      ['draft add-task natasha@example.com'],
    )
  })

  test('is found under its names in databases and in the storage of a tab', () => {
    assert.deepEqual(
      [SAVED_REPLIES, UPLOAD_FILES, TRANSFER_KEY],
      ['saved-replies', 'kept-files', 'carried-values'],
    )
  })
})
