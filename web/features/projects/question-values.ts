import type { FormField } from '#contract/answer-form.ts'

export type QuestionType = FormField['type']

/** A question while it is edited: numbers can be empty, and options are lines of text. */
export type Question = {
  /** Identifies the question while questions are moved. */
  key: string
  type: QuestionType
  label: string
  /** Empty: made from the label. */
  name: string
  help: string
  required: boolean
  options: string
  /** The limits of the length, the value or the number of choices. */
  least: number | ''
  most: number | ''
  whole: boolean
  pattern: string
  patternHint: string
}

const EMPTY: Omit<Question, 'key'> = {
  type: 'text',
  label: '',
  name: '',
  help: '',
  required: true,
  options: '',
  least: '',
  most: '',
  whole: false,
  pattern: '',
  patternHint: '',
}

export const newQuestion = (): Question => ({ ...EMPTY, key: crypto.randomUUID() })

/** The rules of a type that limit it from below and above, as the contract names them. */
export const LIMITS: Record<QuestionType, { least?: string; most?: string }> = {
  text: { least: 'minLength', most: 'maxLength' },
  long_text: { least: 'minLength', most: 'maxLength' },
  number: { least: 'min', most: 'max' },
  choice: {},
  choices: { least: 'min', most: 'max' },
  link: {},
  picture: { most: 'max' },
}

export const hasOptions = (type: QuestionType) => type === 'choice' || type === 'choices'

/** Returns a stored question as the editor has it. */
export function questionOf(field: FormField): Question {
  const rules = field as Partial<Record<string, unknown>>
  const { least, most } = LIMITS[field.type]
  const limitOf = (rule: string | undefined) => (rule === undefined ? '' : ((rules[rule] as number) ?? ''))
  return {
    ...newQuestion(),
    type: field.type,
    label: field.label,
    name: field.name,
    help: field.help ?? '',
    required: field.required,
    options: 'options' in field ? field.options.join('\n') : '',
    least: limitOf(least),
    most: limitOf(most),
    whole: field.type === 'number' && field.whole === true,
    pattern: field.type === 'text' ? (field.pattern ?? '') : '',
    patternHint: field.type === 'text' ? (field.patternHint ?? '') : '',
  }
}

/** Returns the questions in the contract's shape. They are not validated. */
export function formOf(questions: readonly Question[]): { fields: FormField[] } {
  const names = namesOf(questions)
  return { fields: questions.map((question, index) => fieldOf(question, names[index] ?? '')) }
}

function fieldOf(question: Question, name: string): FormField {
  const { type } = question
  const { least, most } = LIMITS[type]
  return {
    name,
    label: question.label,
    required: question.required,
    type,
    ...(question.help.trim() !== '' && { help: question.help }),
    ...(hasOptions(type) && { options: optionsOf(question) }),
    ...(least !== undefined && question.least !== '' && { [least]: Number(question.least) }),
    ...(most !== undefined && question.most !== '' && { [most]: Number(question.most) }),
    ...(type === 'number' && question.whole && { whole: true }),
    ...(type === 'text' && question.pattern !== '' && { pattern: question.pattern }),
    ...(type === 'text' && question.patternHint.trim() !== '' && { patternHint: question.patternHint }),
  } as FormField
}

function optionsOf({ options }: Question): string[] {
  return options
    .split('\n')
    .map((option) => option.trim())
    .filter((option) => option !== '')
}

/** Returns the names of questions in files: those that were entered, and names from the labels for the others. */
export function namesOf(questions: readonly Question[]): string[] {
  const used = new Set(questions.map(({ name }) => name.trim().toLowerCase()))
  return questions.map(({ name, label }, index) => {
    if (name.trim() !== '') return name.trim()
    const base = nameFromLabel(label) || `question_${index + 1}`
    let free = base
    for (let number = 2; used.has(free); number++) free = `${base.slice(0, 36)}_${number}`
    used.add(free)
    return free
  })
}

/** Returns "what_is_the_name" for "What is the name?", and nothing for a label without Latin letters. */
function nameFromLabel(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40)
    .replace(/_+$/, '')
}
