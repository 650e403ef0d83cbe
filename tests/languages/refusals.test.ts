import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ErrorReply } from '#contract/errors.ts'
import { LOCALES, preferredLocale } from '#contract/locales.ts'
import { REFUSAL_TEXTS as BANGLA } from '#contract/refusals.bn.ts'
import { REFUSAL_TEXTS as ENGLISH } from '#contract/refusals.en.ts'
import { validationText } from '#contract/validation-texts.bn.ts'
import { Refusal } from '#server/http/refusal.ts'
import { validationMessage } from '#server/http/validation-messages.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer } from '#tests/support/factories.ts'
import { assertBangla, assertTranslated, type Catalogue } from './compare.ts'
import { messagesOfContract } from './schema-messages.ts'

test('the preferred language is the first of ours by quality', () => {
  const cases = {
    bn: ['bn', 'bn-BD,en;q=0.8', 'en;q=0.5, bn;q=0.9', 'fr-FR, bn-IN;q=0.2', 'BN', 'en;q=0, bn;q=0.1'],
    en: ['', 'en-US,bn;q=0.9', 'de', '*', 'bn;q=0', 'bng', 'en, bn'],
  }
  for (const [locale, headers] of Object.entries(cases))
    for (const header of headers) assert.equal(preferredLocale(header), locale, header)
  assert.equal(preferredLocale(undefined), 'en')
  fc.assert(
    fc.property(fc.string(), (header) => LOCALES.includes(preferredLocale(header))),
    { seed: 1 },
  )
})

test('every refusal has a Bangla sentence with the same parameters', () => {
  const text = {
    message: 'বার্তা',
    field: 'x',
    name: 'x',
    admin: 'x',
    email: 'x',
    account: 'x',
    scope: 'x',
    language: 'bn',
  }
  assertTranslated(ENGLISH as Catalogue, BANGLA as Catalogue, (key) => ({
    ...text,
    state:
      {
        'state_conflict.payout': 'sent',
        'state_conflict.payout_batch': 'draft',
        'state_conflict.batch': 'checked',
      }[key] ?? 'approved',
  }))
})

test('every message of a schema and of the validator is translated', () => {
  const messages = messagesOfContract()
  assert.ok(messages.size > 60)
  for (const message of messages) {
    assert.notEqual(validationText(message), message, message)
    assertBangla(message, validationText(message))
  }
  const issues = [
    { code: 'invalid_type', expected: 'string', path: ['a'], input: undefined },
    ...['string', 'number', 'int', 'boolean', 'object', 'array'].map((expected) => ({
      code: 'invalid_type',
      expected,
      input: 1,
    })),
    { code: 'too_small', origin: 'string', minimum: 3 },
    { code: 'too_big', origin: 'number', maximum: 1_000 },
    { code: 'invalid_format', format: 'uuid' },
    { code: 'invalid_format', format: 'other' },
    { code: 'custom' },
  ]
  for (const issue of issues) {
    const message = validationMessage(issue as never)
    assert.notEqual(validationText(message), message, message)
  }
  assert.equal(validationText('Choose one of Worker, Buyer'), 'এগুলোর একটি বেছে নিন: Worker, Buyer')
  assert.equal(validationText('At most 5,000 characters'), 'সর্বোচ্চ ৫,০০০টি অক্ষর')
  assert.equal(validationText('A message of somebody else'), 'A message of somebody else')
})

test('a refusal has its code, and its sentence in each language', () => {
  const refusal = new Refusal('task_changed.reward', { params: { reward: 12 } })
  assert.equal(refusal.in('en').message, refusal.message)
  assert.equal(refusal.in('bn').message, 'এই টাস্কের পারিশ্রমিক ১২টি কয়েন। জমা দেওয়ার আগে আবার দেখে নিন।')
  const field = new Refusal('invalid_fields.email', { field: 'email' })
  assert.deepEqual(field.in('bn').fields, { email: field.in('bn').message })
})

test('a Bangla refusal is a whole sentence without an Admin, and for coins that were credited', () => {
  assert.deepEqual(
    [null, 'Ruma'].map((admin) => BANGLA['already_decided.paid']({ admin })),
    ['এই অনুরোধের টাকা আগেই পরিশোধ করা হয়েছে।', 'Ruma এই অনুরোধের টাকা আগেই পরিশোধ করেছেন।'],
  )
  assert.deepEqual(
    ['credited', 'refunded'].map((state) => BANGLA['already_decided.unmatched_payment']({ state })),
    ['এই পেমেন্টের কয়েন আগেই দেওয়া হয়েছে।', 'এই পেমেন্ট আগেই রিফান্ড করা হয়ে গেছে।'],
  )
})

describe('error messages of the API', () => {
  const api = useApi()
  const bangla = { 'accept-language': 'bn-BD,bn;q=0.9,en;q=0.5' }

  test('are in the language of Accept-Language, with the same code and the same fields', async () => {
    const client = api.anyone
    const urls = ['/not-here', '/task/not-an-id', '/user-details/a@example.com', '/tasks?limit=x', '/%ZZ']
    for (const url of urls) {
      const [english, inBangla] = [await client.get(url), await client.get(url, bangla)]
      assert.equal(inBangla.status, english.status)
      assert.deepEqual(
        [english.headers['content-language'], inBangla.headers['content-language']],
        ['en', 'bn'],
        url,
      )
      const [first, second] = [ErrorReply.parse(english.body).error, ErrorReply.parse(inBangla.body).error]
      assert.equal(second.code, first.code)
      assert.deepEqual(Object.keys(second.fields ?? {}), Object.keys(first.fields ?? {}))
      for (const text of [second.message, ...Object.values(second.fields ?? {})]) assertBangla(url, text)
      assert.match(first.message, /[a-z]/)
    }
  })

  test('never enter a response that is cached for everybody', async () => {
    await aBuyer(api.database)
    const { get } = api.anyone
    const [first, ...others] = await Promise.all(
      [{}, bangla, {}, bangla].map((headers) => get('/get-all-user', headers)),
    )
    assert.equal(first?.body.length, 1)
    for (const { status, text } of others) assert.deepEqual([status, text], [200, first?.text])
    for (const headers of [bangla, {}, bangla]) {
      const { status, body } = await get('/get-all-user?limit=x', headers)
      assert.equal(status, 422)
      assert.equal(/[a-z]/.test(body.error.message), headers !== bangla)
    }
  })

  test('keep and name their first language when they are repeated for an Idempotency-Key', async () => {
    const buyer = api.as(await aBuyer(api.database))
    const path = `/delete-task/${randomUUID()}`
    const remove = (key: string, headers: Record<string, string>) =>
      buyer.delete(path, undefined, { 'idempotency-key': key, ...headers })
    const replies = [await remove('one', bangla), await remove('one', {}), await remove('two', {})]
    assert.deepEqual(
      replies.map(({ status, headers }) => [
        status,
        headers['content-language'],
        headers['idempotency-replayed'],
      ]),
      [
        [404, 'bn', undefined],
        [404, 'bn', 'true'],
        [404, 'en', undefined],
      ],
    )
    assert.deepEqual(replies[1]?.body, replies[0]?.body)
    assertBangla('a repeated refusal', replies[1]?.body.error.message)
  })
})

test('English refusals read naturally for one, for a decision in progress, and for a limit of a day', () => {
  assert.match(
    ENGLISH['not_eligible.approved']({ approved: 0, required: 1 }),
    /at least 1 approved submission\. /,
  )
  assert.deepEqual(
    ['refunding', 'refunded', 'failed'].map((state) => ENGLISH['already_decided.refund']({ state })),
    [
      'This refund is already being processed.',
      'This refund was already completed.',
      'This refund has already failed.',
    ],
  )
  assert.deepEqual(
    ['refunding', 'credited'].map((state) => ENGLISH['already_decided.unmatched_payment']({ state })),
    ['This payment is already being refunded.', 'This payment was already credited.'],
  )
  const minute = 60
  assert.deepEqual(
    [minute, 15 * minute, 24 * 60 * minute].map((seconds) => ENGLISH.too_many_requests({ seconds })),
    ['a minute', '15 minutes', '24 hours'].map((time) => `Too many attempts. Please try again in ${time}.`),
  )
  assert.match(BANGLA.too_many_requests({ seconds: 24 * 60 * minute }), / ২৪ ঘণ্টা পর/)
})

test('a payout batch is written in full, because a batch is the items of a file', () => {
  const payoutTexts = Object.entries(ENGLISH as Catalogue)
    .filter(([key]) => /payout|claimed\.batch|exchange_rate/.test(key))
    .map(([, text]) =>
      typeof text === 'string' ? text : text({ state: 'removed', admin: 'x', later: [] } as never),
    )
  assert.ok(payoutTexts.length > 10)
  for (const text of payoutTexts) assert.doesNotMatch(text, /(?<!payout )batch/i)
})
