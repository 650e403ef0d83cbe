import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type Answers, answerTo, closedFields } from '#contract/answer-form.ts'
import type { BatchAnswer } from '#contract/batch-answers.ts'
import type { Db } from '#server/database/database.ts'
import { sendCsv, textsOf } from '#server/http/csv-file.ts'
import { type AnswerRow, answersByItem } from './answers.ts'
import { answerOf } from './closed-answers.ts'
import { goldenField, isGoldenColumn } from './golden.ts'
import { presentAnswer } from './present-answers.ts'
import type { BatchRow } from './queries.ts'

type Value = Answers[string] | boolean | null
type Column = [name: string, get: (answer: BatchAnswer, row: AnswerRow) => Value]

/**
 * Returns the columns of both files. Those from `Approve` on are empty, for the buyer's decisions. `Golden.` and the name of a
 * question is a column for each with known answers in the file.
 */
function columnsOf({ task_id: task, columns, content: { title, form } }: BatchRow): Column[] {
  const shown = columns.filter((column) => !isGoldenColumn(column))
  const known = columns.flatMap((column) =>
    isGoldenColumn(column) ? (goldenField(column, form)?.name ?? []) : [],
  )
  return [
    ['Task', () => task],
    ['Title', () => title],
    ['Item', ({ item }) => item],
    ['Submission', ({ _id }) => _id],
    ['Worker', ({ worker }) => worker],
    ['State', ({ state }) => state],
    ['AcceptedAt', ({ acceptedAt }) => acceptedAt],
    ['SubmittedAt', ({ submittedAt }) => submittedAt],
    ['ApprovedAt', ({ approvedAt }) => approvedAt],
    ['RejectedAt', ({ rejectedAt }) => rejectedAt],
    ['Reason', ({ reason }) => reason],
    ['WorkSeconds', ({ workSeconds }) => workSeconds],
    ['Agreement', ({ agreement }) => agreement && Math.round(agreement * 100)],
    ['Majority', ({ isMajority }) => isMajority],
    ['Right', ({ isRight }) => isRight],
    ...shown.map((column): Column => [`Input.${column}`, ({ input }) => input[column] ?? null]),
    ...known.map(
      (name): Column => [`Golden.${name}`, (answer) => answerTo(answer.known ?? {}, name) ?? null],
    ),
    ...form.fields.map(
      ({ name }): Column => [`Answer.${name}`, ({ answers }) => answerTo(answers, name) ?? null],
    ),
    ...closedFields(form).map(
      (field, place): Column => [
        `Estimate.${field.name}`,
        (_, { agreement }) => answerOf(field, agreement?.[place]?.[3] ?? -1),
      ],
    ),
    ...['Approve', 'Reject', 'Category', 'Requirement'].map((name): Column => [name, () => '']),
  ]
}

const pagesOf =
  (db: Db, { task_id: taskId }: BatchRow) =>
  async (last: AnswerRow | null, limit: number) =>
    taskId === null
      ? []
      : answersByItem(db, taskId, {}, [last?.number ?? null, last?.worker_id ?? null], limit)

/** Streams all answers of an open batch as a CSV file. */
export function sendAnswersCsv(reply: FastifyReply, db: Db, batch: BatchRow, raw: boolean): Readable {
  const columns = columnsOf(batch)
  return sendCsv(reply, {
    name: 'answers.csv',
    heading: columns.map(([name]) => name),
    raw,
    read: pagesOf(db, batch),
    cells: (row) => {
      const answer = presentAnswer(row, batch.content.form)
      return columns.map(([, get]) => cellOf(get(answer, row)))
    },
  })
}

/** Returns the cell of a value. Several options and pictures are separated by bars. */
function cellOf(value: Value): string | number {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Array.isArray(value) ? value.join('|') : (value ?? '')
}

/** Streams all answers of an open batch as JSON lines, with the names of the columns of the CSV file. */
export function sendAnswersJsonLines(reply: FastifyReply, db: Db, batch: BatchRow): Readable {
  reply.header('content-type', 'application/x-ndjson; charset=utf-8')
  reply.header('content-disposition', 'attachment; filename="answers.jsonl"')
  const columns = columnsOf(batch)
  const lineOf = (row: AnswerRow) => {
    const answer = presentAnswer(row, batch.content.form)
    const values = columns.map(([name, get]) => [name, get(answer, row)])
    return `${JSON.stringify(Object.fromEntries(values))}\n`
  }
  return Readable.from(textsOf(pagesOf(db, batch), (rows) => rows.map(lineOf).join('')))
}
