import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupNotifications, type ShownNotification } from './group.ts'

let last = 1000
/** Returns a notification that is older than the one before. */
function received(change: Partial<ShownNotification> = {}): ShownNotification {
  return {
    _id: String(--last),
    message: `Ruma submitted work for "Check prices".`,
    time: '2026-11-20T09:00:00.000Z',
    actionRoute: '/dashboard/task-to-review',
    read: false,
    wasUnread: true,
    kind: 'work_received',
    title: 'Check prices',
    ...change,
  }
}
const texts = (rows: ShownNotification[], hasMore = false) =>
  groupNotifications(rows, hasMore).map(({ groups }) => groups.map(({ text }) => text))

test('unread ones about the same task become one row', () => {
  const rows = Array.from({ length: 24 }, () => received())
  assert.deepEqual(texts(rows), [['24 submissions for "Check prices".']])
  assert.deepEqual(groupNotifications(rows, false)[0]?.groups[0]?.notifications, rows)
})

test('one alone keeps its own sentence', () => {
  assert.deepEqual(texts([received()]), [['Ruma submitted work for "Check prices".']])
})

test('only consecutive ones of the same kind about the same task that were unread are grouped', () => {
  const other = received({ message: 'Other task', title: 'Other task' })
  const revised = received({ message: 'Revised', kind: 'work_revised' })
  const read = received({ message: 'Read', wasUnread: false, read: true })
  const one = 'Ruma submitted work for "Check prices".'
  assert.deepEqual(texts([received(), other, received(), revised, received(), read, received()]), [
    [one, 'Other task', one, 'Revised', one, 'Read', one],
  ])
})

test('one that is marked as read stays in its group', () => {
  assert.deepEqual(texts([received(), received({ read: true }), received()]), [
    ['3 submissions for "Check prices".'],
  ])
})

test('a kind whose sentence does not fit several is not grouped', () => {
  const approved = () => received({ kind: 'submission_approved', message: 'Approved' })
  assert.deepEqual(texts([approved(), approved()]), [['Approved', 'Approved']])
})

test('each day has its own groups', () => {
  const earlier = { time: '2026-11-18T09:00:00.000Z' }
  const days = groupNotifications([received(), received(), received(earlier), received(earlier)], false)
  assert.deepEqual(
    days.map(({ day, groups }) => [day, groups.map(({ text }) => text)]),
    [
      ['2026-11-20', ['2 submissions for "Check prices".']],
      ['2026-11-18', ['2 submissions for "Check prices".']],
    ],
  )
})

test('the last group says that it may be larger while older ones are not loaded', () => {
  const messages = [1, 2].map(() => received({ kind: 'contact_message', title: null }))
  assert.deepEqual(texts([...messages, received(), received(), received()], true), [
    ['2 contact messages.', '3+ submissions for "Check prices".'],
  ])
})
