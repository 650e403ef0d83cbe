import {
  type AnswerForm,
  type Answers,
  answerText,
  answerTo,
  FIELD_PICTURES_MAX,
  type FormField,
  LONG_TEXT_MAX,
  NUMBER_MAX,
  SHORT_TEXT_MAX,
} from '#contract/answer-form.ts'
import { TEXT_MAX, URL_MAX } from '#contract/product.ts'
import { isWebAddress } from '#contract/shapes.ts'
import { Refusal } from '#server/http/refusal.ts'
import { matchesPattern } from './pattern.ts'

type Value = Answers[string]
type Typed<Type extends FormField['type']> = Extract<FormField, { type: Type }>

/**
 * Returns answers as they are stored: text is trimmed, and questions without an answer are left out.
 * @throws Refusal `invalid_request` for a value of the wrong type, `invalid_fields` for one that breaks a rule of its
 * question. `fields` has the message of each question.
 */
export function requireValidAnswers(form: AnswerForm, given: Answers): Answers {
  const answers = trimmed(given)
  const malformed: Record<string, string> = {}
  const wrong: Record<string, string> = {}
  for (const name of Object.keys(answers)) {
    if (!form.fields.some((field) => field.name === name)) malformed[`answers.${name}`] = 'Unknown question'
  }
  for (const field of form.fields) {
    const value = answerTo(answers, field.name)
    if (value === undefined) {
      if (field.required) wrong[`answers.${field.name}`] = 'This question is required'
    } else if (!hasType(field, value)) malformed[`answers.${field.name}`] = TYPE_TEXTS[field.type]
    else {
      const problem = problemOf(field, value)
      if (problem !== undefined) wrong[`answers.${field.name}`] = problem
    }
  }
  refuse('invalid_request', malformed)
  refuse('invalid_fields', wrong)
  if (answerText(form, answers).length > TEXT_MAX) {
    refuse('invalid_fields', { answers: `The answers have at most ${TEXT_MAX} characters together` })
  }
  return answers
}

function refuse(code: 'invalid_request' | 'invalid_fields', fields: Record<string, string>): void {
  const [message, ...others] = Object.values(fields)
  if (message === undefined) return
  if (others.length > 0) throw new Refusal(`${code}.several`, { fields })
  throw new Refusal(`${code}.validation`, { params: { message }, fields })
}

/** Trims answers, and removes empty texts and empty lists: they are no answers. */
function trimmed(given: Answers): Answers {
  const answers = Object.entries(given).map(([name, value]) => [name, trim(value)] as const)
  return Object.fromEntries(
    answers.filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0)),
  )
}

function trim(value: Value): Value {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? value.trim() : value.map((one) => one.trim())
}

const TYPE_TEXTS: Record<FormField['type'], string> = {
  text: 'Enter text',
  long_text: 'Enter text',
  number: 'Enter a number',
  choice: 'Choose an option',
  choices: 'Choose a list of options',
  link: 'Enter a link',
  picture: 'Upload a list of pictures',
}

function hasType({ type }: FormField, value: Value): boolean {
  if (type === 'number') return typeof value === 'number'
  return type === 'choices' || type === 'picture' ? Array.isArray(value) : typeof value === 'string'
}

function problemOf(field: FormField, value: Value): string | undefined {
  if (typeof value !== 'number' && ![value].flat().every(isStorable))
    return 'Contains characters that cannot be stored'
  switch (field.type) {
    case 'text':
      return textProblem(field, value as string)
    case 'long_text':
      return lengthProblem(value as string, field.minLength, field.maxLength ?? LONG_TEXT_MAX)
    case 'number':
      return numberProblem(field, value as number)
    case 'choice':
      return field.options.includes(value as string) ? undefined : 'Choose one of the options'
    case 'choices':
      return choicesProblem(field, value as string[])
    case 'link':
      return isShortWebAddress(value as string)
        ? undefined
        : 'Enter a link that starts with https:// or http://'
    case 'picture':
      return picturesProblem(field, value as string[])
  }
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\u0000')

function textProblem({ pattern, patternHint, ...field }: Typed<'text'>, value: string): string | undefined {
  if (/[\n\r]/.test(value)) return 'Enter text on one line'
  const problem = lengthProblem(value, field.minLength, field.maxLength ?? SHORT_TEXT_MAX)
  if (problem !== undefined) return problem
  if (pattern !== undefined && !matchesPattern(pattern, value))
    return patternHint ?? 'This does not have the right form'
  return undefined
}

function lengthProblem(value: string, least = 0, most: number): string | undefined {
  const length = Array.from(value).length
  if (length < least) return `At least ${least} characters`
  return length > most ? `At most ${most} characters` : undefined
}

function numberProblem(
  { min = -NUMBER_MAX, max = NUMBER_MAX, whole }: Typed<'number'>,
  value: number,
): string | undefined {
  if (Number.isNaN(value)) return TYPE_TEXTS.number
  if (whole === true && !Number.isSafeInteger(value)) return 'Enter a whole number'
  if (value < min) return `At least ${min}`
  return value > max ? `At most ${max}` : undefined
}

function choicesProblem({ options, min = 0, max = options.length }: Typed<'choices'>, chosen: string[]) {
  if (!chosen.every((one) => options.includes(one)) || new Set(chosen).size !== chosen.length)
    return 'Choose each option at most once'
  if (chosen.length < min) return `Choose at least ${min}`
  return chosen.length > max ? `Choose at most ${max}` : undefined
}

function picturesProblem({ max = FIELD_PICTURES_MAX }: Typed<'picture'>, urls: string[]): string | undefined {
  if (urls.length > max) return `At most ${max} pictures`
  return urls.every(isShortWebAddress) ? undefined : 'Upload the pictures again'
}

const isShortWebAddress = (value: string) => value.length <= URL_MAX && isWebAddress(value)
