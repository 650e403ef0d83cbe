import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  NOTIFICATION_TEXTS as BANGLA,
  EMAIL_SUBJECTS as BANGLA_SUBJECTS,
} from '#contract/notification-texts.bn.ts'
import { EMAIL_SUBJECTS, NOTIFICATION_TEXTS as ENGLISH } from '#contract/notification-texts.en.ts'
import { SECURITY_EVENT_TEXTS as BANGLA_EVENTS } from '#contract/security-log-texts.bn.ts'
import { SECURITY_EVENT_TEXTS as ENGLISH_EVENTS } from '#contract/security-log-texts.en.ts'
import * as banglaMails from '#server/mail/templates.bn.ts'
import * as englishMails from '#server/mail/templates.en.ts'
import { assertBangla, assertTranslated, type Catalogue } from './compare.ts'

/** Values of the parameters that are no number: one of the choices where the text depends on it. */
const VALUES: Record<string, unknown> = {
  account: 'x',
  admin: 'x',
  buyer: 'x',
  decidedBy: 'buyer',
  file: 'x',
  intent: 'x',
  message: 'x',
  name: 'x',
  reason: 'x',
  recipient: 'buyer',
  request: 'x',
  response: 'x',
  role: 'Buyer',
  setting: 'x',
  status: 'x',
  subject: 'x',
  system: 'Bkash',
  title: 'x',
  worker: 'x',
}
const STATES: Record<string, string> = {
  deadline_near: 'in_review',
  rejection_lapsed: 'appealed',
  setting_change_decided: 'confirmed',
  tasks_held: 'held',
}

test('every notification has a Bangla sentence with the same parameters', () => {
  assertTranslated(ENGLISH as Catalogue, BANGLA as Catalogue, (key) => ({
    ...VALUES,
    state: STATES[key],
    cause: key === 'webhook_stopped' ? 'gone' : 'refund',
  }))
  assertTranslated(EMAIL_SUBJECTS, BANGLA_SUBJECTS, () => ({}))
})

test('every event of the account activity has a Bangla sentence with the same parameters', () => {
  const methods: Record<string, string> = { access_refused: 'x', step_up_failed: 'passkey' }
  assertTranslated(ENGLISH_EVENTS as Catalogue, BANGLA_EVENTS as Catalogue, (key) => ({
    ...VALUES,
    change: key === 'webhook_changed' ? 'created' : 'added',
    code: 'x',
    data: 'account',
    device: 'x',
    factor: 'passkey',
    from: 'x',
    method: methods[key] ?? 'password',
    path: 'x',
    provider: 'x',
    reason: key === 'sign_in_failed' ? 'wrong_password' : 'expired',
    scopes: 'x',
    secondFactor: 'totp',
    to: 'x',
  }))
})

test('every choice of a parameter has a Bangla sentence', () => {
  const paid = { title: 'x', coins: 5 }
  const causes = [
    'buyer',
    'time',
    'buyer_left',
    'concession',
    'silence',
    'reviewer',
    'no_reviewer',
    'reversal',
    'agreement',
  ] as const
  const texts = [
    ...causes.map((decidedBy) => BANGLA.submission_approved({ ...paid, decidedBy })),
    ...(['buyer', 'worker', 'reviewer'] as const).flatMap((decidedBy) =>
      (['buyer', 'worker'] as const).map((recipient) =>
        BANGLA.rejection_final({ title: 'x', recipient, decidedBy, refunded: 5 }),
      ),
    ),
    ...(['revision_requested', 'rejection_open', 'appealed', 'in_review'] as const).map((state) =>
      BANGLA.deadline_near({ title: 'x', state }),
    ),
    ...(['refund', 'dispute', 'won', 'evidence'] as const).map((cause) =>
      BANGLA.payment_reversed({ recipient: 'buyer', buyer: 'x', cause, cents: 100, coins: 10, owed: 5 }),
    ),
    ...[undefined, 3].map((item) => BANGLA.reservation_lapsed({ title: 'x', task: 'x', item })),
    ...(['held', 'released', 'closed'] as const).map((state) =>
      BANGLA.tasks_held({ state, tasks: 2, coins: 5 }),
    ),
  ]
  for (const text of texts) assertBangla(text, text)
  assert.equal(new Set(texts).size, texts.length)
})

test('every email has a Bangla text with the same data', () => {
  const data = { name: 'রুমা', change: 'created', outcome: 'ended', hours: 72, minutes: 30 }
  const named = { ...data, email: 'x', key: 'x', scopes: 'x', endpoint: 'x', host: 'x', account: 'x' }
  assert.deepEqual(
    Object.keys(banglaMails.TEMPLATES).toSorted(),
    Object.keys(englishMails.TEMPLATES).toSorted(),
  )
  for (const [name, english] of Object.entries(englishMails.TEMPLATES)) {
    const read = { en: new Set<string>(), bn: new Set<string>() }
    const recording = (locale: 'en' | 'bn') =>
      new Proxy<Record<string, string | number>>(named, {
        get(known, key: string) {
          // The account's name is made of its system and its last digits in Bangla.
          if (key !== 'system' && key !== 'ending') read[locale].add(key)
          return known[key]
        },
      })
    const inEnglish = english(recording('en'), 'https://x', 'x')
    const inBangla = banglaMails.TEMPLATES[name]?.(recording('bn'), 'https://x', 'x')
    assert.ok(inBangla)
    assert.deepEqual([...read.bn].toSorted(), [...read.en].toSorted(), name)
    assert.equal(inBangla.button === undefined, inEnglish.button === undefined)
    for (const text of [
      inBangla.subject,
      ...inBangla.paragraphs,
      inBangla.note,
      inBangla.button?.label ?? '',
    ])
      assertBangla(name, text)
  }
})
