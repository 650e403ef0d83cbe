import * as z from 'zod/mini'
import { LongText, line, storable, text, whole } from './shapes.ts'

export const FORM_FIELDS_MAX = 30
export const FORM_OPTIONS_MAX = 50
export const SHORT_TEXT_MAX = 1_000
export const LONG_TEXT_MAX = 10_000
export const PATTERN_MAX = 200
export const FIELD_PICTURES_MAX = 10
/** The largest number of an answer, and of its limits. */
export const NUMBER_MAX = 1e12

const length = (max: number) => z.optional(whole(0, max))
const limit = z.optional(z.number().check(z.minimum(-NUMBER_MAX), z.maximum(NUMBER_MAX)))
const option = line(200, 'Enter an option')

/** `name` is the key in answers and the heading `Answer.name` in files. */
const question = {
  name: z
    .string()
    .check(
      z.regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/, 'Begin with a letter; use letters, digits and _, at most 40'),
    ),
  label: line(200, 'Enter the question'),
  help: z.optional(text(1_000)),
  required: z.boolean(),
}
const options = z.array(option).check(
  z.minLength(2, 'Enter at least two options'),
  z.maxLength(FORM_OPTIONS_MAX, `At most ${FORM_OPTIONS_MAX} options`),
  z.refine((given) => new Set(given).size === given.length, 'Enter each option once'),
)

/** The pattern matches the whole text. Its syntax is that of RE2, which matches in linear time. */
const ShortTextField = z.object({
  ...question,
  type: z.literal('text'),
  minLength: length(SHORT_TEXT_MAX),
  maxLength: length(SHORT_TEXT_MAX),
  pattern: z.optional(
    z
      .string()
      .check(
        storable,
        z.minLength(1, 'Enter a pattern'),
        z.maxLength(PATTERN_MAX, `At most ${PATTERN_MAX} characters`),
      ),
  ),
  /** What the worker reads when the text does not match the pattern. */
  patternHint: z.optional(line(200)),
})
const LongTextField = z.object({
  ...question,
  type: z.literal('long_text'),
  minLength: length(LONG_TEXT_MAX),
  maxLength: length(LONG_TEXT_MAX),
})
const NumberField = z.object({
  ...question,
  type: z.literal('number'),
  min: limit,
  max: limit,
  whole: z.optional(z.boolean()),
})
const ChoiceField = z.object({ ...question, type: z.literal('choice'), options })
const ChoicesField = z.object({
  ...question,
  type: z.literal('choices'),
  options,
  min: z.optional(whole(0, FORM_OPTIONS_MAX)),
  max: z.optional(whole(1, FORM_OPTIONS_MAX)),
})
const LinkField = z.object({ ...question, type: z.literal('link') })
const PictureField = z.object({
  ...question,
  type: z.literal('picture'),
  max: z.optional(whole(1, FIELD_PICTURES_MAX)),
})

export const FormField = z.discriminatedUnion('type', [
  ShortTextField,
  LongTextField,
  NumberField,
  ChoiceField,
  ChoicesField,
  LinkField,
  PictureField,
])
export type FormField = z.infer<typeof FormField>

const isOrdered = (low: number | undefined, high: number | undefined) =>
  low === undefined || high === undefined || low <= high

/** Returns whether any answer is within both limits of a field. */
function isPossible(field: FormField): boolean {
  switch (field.type) {
    case 'text':
    case 'long_text':
      return isOrdered(field.minLength, field.maxLength)
    case 'number':
      return isOrdered(field.min, field.max)
    case 'choices':
      return isOrdered(field.min, field.max) && isOrdered(field.min, field.options.length)
    case 'choice':
    case 'link':
    case 'picture':
      return true
  }
}

/** The questions of a project, in the order of the screen. */
export const AnswerForm = z.object({
  fields: z.array(FormField).check(
    z.minLength(1, 'Add at least one question'),
    z.maxLength(FORM_FIELDS_MAX, `At most ${FORM_FIELDS_MAX} questions`),
    z.refine(
      (fields) => new Set(fields.map(({ name }) => name.toLowerCase())).size === fields.length,
      'Two questions have the same name',
    ),
    z.refine((fields) => fields.every(isPossible), 'The minimum is more than the maximum'),
  ),
})
export type AnswerForm = z.infer<typeof AnswerForm>

export type ClosedField = Extract<FormField, { options: string[] }>

/** Returns the questions with options. Their answers can be compared with one another. */
export function closedFields({ fields }: AnswerForm): ClosedField[] {
  return fields.filter((field): field is ClosedField => 'options' in field)
}

/** What a worker entered, by the names of the questions. Pictures are a list of their URLs. */
export const Answers = z.record(
  z.string().check(z.maxLength(40)),
  z.union([z.string(), z.number(), z.array(z.string())]),
)
export type Answers = z.infer<typeof Answers>

/** Returns the answer to a question, undefined without one: also where its name is one of every object's, as `constructor`. */
export const answerTo = (answers: Answers, name: string): Answers[string] | undefined =>
  Object.hasOwn(answers, name) ? answers[name] : undefined

/**
 * Returns the text form of answers, in the order of the form. The lines after the first of a value are indented, so that
 * no text looks like the answer to another question.
 */
export function answerText({ fields }: AnswerForm, answers: Answers): string {
  return fields
    .filter(({ name }) => Object.hasOwn(answers, name))
    .map(({ name, label }) => `${label}: ${valueText(answers[name])}`)
    .join('\n')
}

function valueText(value: Answers[string] | undefined): string {
  const one = Array.isArray(value) ? value.join(', ') : String(value)
  return one.replace(/\r\n|[\n\r\u2028\u2029\v\f\u0085]/g, '\n  ')
}

/** An example of good work, or of work that would be rejected. */
export const FormExample = z.object({ text: LongText, good: z.boolean() })
