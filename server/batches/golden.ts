import { createHash } from 'node:crypto'
import type { AnswerForm, Answers, FormField } from '#contract/answer-form.ts'
import { type ProjectContent, variablesOf } from '#contract/projects.ts'
import { Refusal } from '#server/http/refusal.ts'
import { requireValidAnswers } from '#server/projects/check-answers.ts'
import { equalText } from './equal-text.ts'

const PREFIX = 'golden.'

export type FileItem = { input: Record<string, string>; golden: Answers | null }

/** Returns whether a column has known answers. Workers never see it. */
export const isGoldenColumn = (column: string) => column.toLowerCase().startsWith(PREFIX)

/**
 * Returns the question whose known answers a column has. Only questions with options and with numbers have them: the same text is
 * written in many ways. Undefined without such a question.
 */
export function goldenField(column: string, { fields }: AnswerForm): FormField | undefined {
  const name = column.slice(PREFIX.length).trim().toLowerCase()
  return fields.find(
    (field) => field.name.toLowerCase() === name && ['choice', 'choices', 'number'].includes(field.type),
  )
}

/** Returns whether the workers of a project would see a column. */
export const isShown = (column: string, { instructions, pictureColumns }: ProjectContent) =>
  variablesOf(instructions).includes(column) || pictureColumns.includes(column)

/** Returns a known answer of a file; several options are separated by bars. Undefined for one that no worker could give. */
export function knownAnswer(field: FormField, text: string): Answers[string] | undefined {
  const given = givenTo(field, text)
  try {
    const answers = requireValidAnswers({ fields: [{ ...field, required: true }] }, { [field.name]: given })
    return answers[field.name]
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function givenTo(field: FormField, text: string): Answers[string] {
  if (field.type === 'number') return Number(text.trim())
  if (field.type !== 'choice' && field.type !== 'choices') return text
  const optionOf = (written: string) => equalText(field.options, written.trim()) ?? written
  return field.type === 'choices' ? text.split('|').map(optionOf) : optionOf(text)
}

/** Returns a row as an item: what is shown to workers, and the known answers, null without any. */
export function itemOf(columns: readonly string[], values: readonly string[], form: AnswerForm): FileItem {
  const golden: Answers = {}
  const input: [column: string, text: string][] = []
  for (const [place, column] of columns.entries()) {
    const text = values[place] ?? ''
    if (!isGoldenColumn(column)) input.push([column, text])
    const field = isGoldenColumn(column) && text.trim() !== '' ? goldenField(column, form) : undefined
    const answer = field && knownAnswer(field, text)
    if (field !== undefined && answer !== undefined) golden[field.name] = answer
  }
  // A column may be named like a property of every object.
  return { input: Object.fromEntries(input), golden: Object.keys(golden).length === 0 ? null : golden }
}

/**
 * Yields the items of a file, with the `golden` items that have known answers spread evenly among the others, at positions that cannot
 * be predicted without the batch's id. The order is the same each time. `read` starts reading the file: two readers go through it
 * side by side, one for each kind, so that no items are kept in memory.
 */
export async function* spreadGolden(
  read: () => AsyncIterable<FileItem>,
  batchId: string,
  { total, golden }: { total: number; golden: number },
): AsyncGenerator<FileItem> {
  async function* only(isGolden: boolean) {
    for await (const item of read()) if ((item.golden !== null) === isGolden) yield item
  }
  const [known, others] = [only(true), only(false)]
  const placeOf = (order: number) =>
    Math.floor(((order + fractionOf(`${batchId} ${order}`)) * total) / golden)
  try {
    for (let place = 0, order = 0; ; place++) {
      const isKnown = order < golden && placeOf(order) <= place
      const { done, value } = await (isKnown ? known : others).next()
      if (done) break
      if (isKnown) order++
      yield value
    }
    // One of the two has ended.
    yield* known
    yield* others
  } finally {
    await Promise.all([known.return(undefined), others.return(undefined)])
  }
}

/** Returns a number from 0 to 1 that depends on a text. */
const fractionOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
