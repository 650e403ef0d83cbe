import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailto } from './mailto.ts'

test('an email link contains one recipient and the given subject, whatever the email says', () => {
  assert.equal(mailto('ruma+jobs@example.com'), 'mailto:ruma%2Bjobs@example.com')
  const hostile = 'x?bcc=everyone@example.com&body=%0Apay,me'
  const url = new URL(mailto(hostile, 'Re: 100 % & more?'))
  assert.equal(decodeURIComponent(url.pathname), hostile)
  assert.deepEqual([...url.searchParams], [['subject', 'Re: 100 % & more?']])
  assert.ok(!url.pathname.includes(','))
})
