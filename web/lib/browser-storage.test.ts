import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { createDecisionStore } from '#web/features/review/decision-store.ts'
import { deleteStored, readStored, storedKeys } from '#web/lib/browser-storage.ts'
import { deleteDraft, readDraft, storeDraft } from '#web/lib/drafts.ts'
import { readPreference, writePreference } from '#web/lib/preference.ts'

afterEach(() => localStorage.clear())

const refuse = () => {
  throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
}

test('a choice that a full storage refuses lasts as long as the page', (context) => {
  writePreference('task-sort', 'newest')
  const full = context.mock.method(localStorage, 'setItem', refuse)
  writePreference('task-sort', 'pay')
  assert.equal(readPreference('task-sort'), 'pay')
  full.mock.restore()
  writePreference('task-sort', 'deadline')
  assert.equal(readPreference('task-sort'), 'deadline')
  assert.equal(localStorage.getItem('preference task-sort'), 'deadline')
})

test('a decision that was stored later replaces the one that a full storage refused', (context) => {
  const decisions = createDecisionStore('nadia')
  const work = { id: 'work-1', worker: 'Rafi', coins: 25 }
  const stored = { work, idempotencyKey: '1', batch: '1', commitsAt: 0 }
  const full = context.mock.method(localStorage, 'setItem', refuse)
  decisions.put({ ...stored, decision: { kind: 'approve', buyer: 'Nadia' } })
  assert.equal(decisions.get('work-1')?.decision.kind, 'approve')
  full.mock.restore()
  decisions.put({
    ...stored,
    decision: { kind: 'reject', reason: 'Empty', category: 'incomplete', requirement: '' },
  })
  assert.equal(decisions.get('work-1')?.decision.kind, 'reject')
  assert.deepEqual(
    decisions.list().map(({ decision }) => decision.kind),
    ['reject'],
  )
})

test('where the browser blocks the data of sites, texts last as long as the page', (context) => {
  context.mock.getter(globalThis, 'localStorage', () => {
    throw new DOMException('The request was denied.', 'SecurityError')
  })
  assert.equal(readDraft('work', 'nothing'), 'nothing')
  storeDraft('work', 'typed')
  assert.equal(readDraft('work', 'nothing'), 'typed')
  assert.deepEqual(storedKeys('draft '), ['draft work'])
  deleteDraft('work')
  deleteStored('another')
  assert.equal(readStored('draft work'), null)
  context.mock.restoreAll()
})
