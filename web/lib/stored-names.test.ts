import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createOutbox, hasStoredDecisions } from '#web/features/review/outbox.ts'
import { readUnsent } from '#web/features/submissions/unsent-work.ts'
import { TRANSFER_KEY } from '#web/lib/language-switch.ts'
import { readLastSession, SAVED_REPLIES, UPLOAD_FILES } from '#web/lib/last-session.ts'

const EMAIL = 'asha@example.com'

/** Browsers have what users typed and chose under these names: with another name it would be lost, and never deleted. */
describe('what an earlier version has stored in a browser', () => {
  test('is the last session', () => {
    const session = { user: { email: EMAIL }, userData: null }
    localStorage.setItem('last-session', JSON.stringify(session))
    assert.deepEqual(readLastSession(), session)
    localStorage.clear()
  })

  test('is work that has not been sent, of a task and of an item', () => {
    localStorage.setItem(`unsent ${EMAIL} task-1`, '{"title":"Label a photo"}')
    localStorage.setItem(`unsent ${EMAIL} task-1 7`, '{"title":"Item 7"}')
    assert.equal(readUnsent({ email: EMAIL, taskId: 'task-1' })?.title, 'Label a photo')
    assert.equal(readUnsent({ email: EMAIL, taskId: 'task-1', item: { number: 7 } })?.title, 'Item 7')
    localStorage.clear()
  })

  test('is a decision that has not been sent', () => {
    localStorage.setItem(`decision ${EMAIL} work-1`, '{"work":{"id":"work-1"}}')
    assert.ok(hasStoredDecisions(EMAIL))
    assert.equal(createOutbox(EMAIL).get('work-1')?.work.id, 'work-1')
    localStorage.clear()
  })

  test('is found under its names in databases and in the storage of a tab', () => {
    assert.deepEqual(
      [SAVED_REPLIES, UPLOAD_FILES, TRANSFER_KEY],
      ['saved-replies', 'kept-files', 'carried-values'],
    )
  })
})
