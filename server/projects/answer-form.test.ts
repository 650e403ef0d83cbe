import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { AnswerForm, type Answers, answerText, type FormField } from '#contract/answer-form.ts'
import { fillTemplate, variablesOf } from '#contract/projects.ts'
import { Refusal } from '#server/http/refusal.ts'
import { requireValidAnswers } from './check-answers.ts'
import { patternProblem } from './pattern.ts'

const form: AnswerForm = {
  fields: [
    {
      type: 'text',
      name: 'phone',
      label: 'Phone',
      required: true,
      pattern: '01\\d{9}',
      patternHint: 'Eleven digits',
    },
    { type: 'long_text', name: 'notes', label: 'Notes', required: false, minLength: 3, maxLength: 20 },
    { type: 'number', name: 'floors', label: 'Floors', required: false, min: 1, max: 90, whole: true },
    { type: 'choice', name: 'open', label: 'Open', required: false, options: ['Yes', 'No'] },
    {
      type: 'choices',
      name: 'sells',
      label: 'Sells',
      required: false,
      options: ['Tea', 'Rice', 'Oil'],
      min: 1,
      max: 2,
    },
    { type: 'number', name: 'height', label: 'Height', required: false },
    { type: 'link', name: 'site', label: 'Site', required: false },
    { type: 'picture', name: 'photo', label: 'Photo', required: false, max: 1 },
  ],
}
const PHONE = { phone: '01712345678' }

function problemsOf(answers: Answers): [code: string, fields: Record<string, string> | undefined] {
  try {
    requireValidAnswers(form, answers)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return [error.code, error.fields]
  }
  return ['', undefined]
}

describe('answers to a form', () => {
  test('are trimmed, and questions without an answer are left out', () => {
    const answers = requireValidAnswers(form, { phone: ' 01712345678 ', notes: '  ', sells: [], floors: 2 })
    assert.deepEqual(answers, { ...PHONE, floors: 2 })
  })

  const WRONG: [Answers, string][] = [
    [{ phone: '0171234567' }, 'Eleven digits'],
    [{ phone: '01712345678x' }, 'Eleven digits'],
    [{}, 'This question is required'],
    [{ phone: ' ' }, 'This question is required'],
    [{ ...PHONE, notes: 'No' }, 'At least 3 characters'],
    [{ ...PHONE, notes: 'x'.repeat(21) }, 'At most 20 characters'],
    [{ ...PHONE, notes: 'a\u0000bc' }, 'Contains characters that cannot be stored'],
    [{ ...PHONE, floors: 0 }, 'At least 1'],
    [{ ...PHONE, floors: 91 }, 'At most 90'],
    [{ ...PHONE, floors: 1.5 }, 'Enter a whole number'],
    [{ ...PHONE, height: 1e13 }, 'At most 1000000000000'],
    [{ ...PHONE, height: -1e200 }, 'At least -1000000000000'],
    [{ ...PHONE, height: Number.NaN }, 'Enter a number'],
    [{ ...PHONE, open: 'Maybe' }, 'Choose one of the options'],
    [{ ...PHONE, sells: ['Tea', 'Tea'] }, 'Choose each option at most once'],
    [{ ...PHONE, sells: ['Tea', 'Rice', 'Oil'] }, 'Choose at most 2'],
    [{ ...PHONE, site: 'javascript:alert(1)' }, 'Enter a link that starts with https:// or http://'],
    [{ ...PHONE, photo: ['https://x.example/1', 'https://x.example/2'] }, 'At most 1 pictures'],
    [{ ...PHONE, photo: ['data:image/png,x'] }, 'Upload the pictures again'],
  ]
  for (const [answers, message] of WRONG) {
    test(`${JSON.stringify(answers).slice(0, 60)}: ${message}`, () => {
      const [code, fields] = problemsOf(answers)
      assert.equal(code, 'invalid_fields')
      assert.deepEqual(Object.values(fields ?? {}), [message])
    })
  }

  test('every question that is wrong is named', () => {
    const [, fields] = problemsOf({ phone: 'x', floors: 0 })
    assert.deepEqual(fields, { 'answers.phone': 'Eleven digits', 'answers.floors': 'At least 1' })
  })

  test('another type and an unknown question are malformed', () => {
    assert.equal(problemsOf({ ...PHONE, floors: '2' })[0], 'invalid_request')
    assert.equal(problemsOf({ phone: ['01712345678'] })[0], 'invalid_request')
    assert.equal(problemsOf({ ...PHONE, constructor: 'x' })[0], 'invalid_request')
  })

  test('any answers are valid or refused', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.array(fc.string(), { maxLength: 4 }),
    )
    const names = fc.constantFrom(
      'phone',
      'notes',
      'floors',
      'open',
      'sells',
      'site',
      'photo',
      '__proto__',
      'x',
    )
    fc.assert(
      fc.property(fc.dictionary(names, value), (given) => {
        const [code] = problemsOf({ ...PHONE, ...given })
        assert.ok(['', 'invalid_request', 'invalid_fields'].includes(code))
      }),
      { seed: 1 },
    )
  })
})

describe('the text form of answers', () => {
  test('has a line per question, in the order of the form', () => {
    const text = answerText(form, { sells: ['Tea', 'Oil'], ...PHONE, notes: 'Closed\nSite: evil' })
    assert.equal(text, 'Phone: 01712345678\nNotes: Closed\n  Site: evil\nSells: Tea, Oil')
  })

  test('no text looks like the answer to another question', () => {
    const texts = fc.dictionary(
      fc.constantFrom('phone', 'notes', 'open', 'site'),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(texts, (answers) => {
        const lines = answerText(form, answers).split(/\r\n|[\n\r\u2028\u2029\v\f\u0085]/)
        const unindented = lines.filter((line) => line !== '' && !line.startsWith('  '))
        assert.ok(unindented.length <= Object.keys(answers).length)
      }),
      { seed: 1 },
    )
  })
})

describe('a form', () => {
  const withField = (field: object) => AnswerForm.safeParse({ fields: [field] }).success
  const question = { name: 'a', label: 'A', required: true }

  test('has questions with different names and possible rules', () => {
    assert.ok(AnswerForm.safeParse(form).success)
    const twice = [
      { ...question, type: 'link' },
      { ...question, name: 'A', type: 'link' },
    ]
    assert.ok(!AnswerForm.safeParse({ fields: twice }).success)
    assert.ok(!withField({ ...question, type: 'number', min: 2, max: 1 }))
    assert.ok(!withField({ ...question, type: 'choices', options: ['Yes', 'No'], min: 3 }))
    assert.ok(!withField({ ...question, type: 'choice', options: ['Yes', 'Yes'] }))
    assert.ok(!withField({ ...question, name: 'a.b', type: 'link' }))
  })

  test('accepts the patterns of RE2 that are small enough', () => {
    for (const pattern of ['01\\d{9}', '(a+)+', '[\\p{L} ]+', '(?i)yes|no'])
      assert.equal(patternProblem(pattern), undefined)
    for (const pattern of ['(', '(?=a)', '(a)\\1', 'a{1001}'])
      assert.equal(patternProblem(pattern), 'This is not a valid pattern')
    assert.equal(patternProblem('((.{10}){10}){10}'), 'This pattern is too complex')
  })

  test('refuses a pattern that cannot be stored', () => {
    const field = { type: 'text', name: 'code', label: 'Code', required: false }
    const isAccepted = (pattern: string) => AnswerForm.safeParse({ fields: [{ ...field, pattern }] }).success
    assert.deepEqual(['[A-Z]+', '\ud800', 'a\u0000'].map(isAccepted), [true, false, false])
  })

  test('a pattern that backtracking engines need years for is matched at once', () => {
    const field: FormField = { type: 'text', name: 'a', label: 'A', required: true, pattern: '(a|aa|a?)+b' }
    assert.throws(() => requireValidAnswers({ fields: [field] }, { a: 'a'.repeat(1000) }), {
      code: 'invalid_fields',
    })
  })
})

describe('a template', () => {
  test('has its variables replaced by values, which are not templates themselves', () => {
    const template = 'Look at ${name} in ${ city }, ${unknown}. $& ${}'
    assert.deepEqual(variablesOf(template), ['name', 'city', 'unknown'])
    const input = { name: '${city} $1', city: 'Dhaka' }
    assert.equal(fillTemplate(template, input), 'Look at ${city} $1 in Dhaka, ${unknown}. $& ${}')
    assert.equal(fillTemplate('${constructor}', {}), '${constructor}')
  })
})
