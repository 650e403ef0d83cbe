import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type Answers, answerTo, closedFields } from '#contract/answer-form.ts'
import type { Db } from '#server/database/database.ts'
import { sendCsv, textsOf } from '#server/http/csv-file.ts'
import { type AnswerRow, answersByItem } from './answers.ts'
import { answerOf } from './closed-answers.ts'
import { goldenField, isGoldenColumn } from './golden.ts'
import { presentAnswer } from './present-answers.ts'
import type { BatchRow } from './queries.ts'

const FIXED = [
  'Item',
  'Submission',
  'Worker',
  'State',
  'AcceptedAt',
  'SubmittedAt',
  'ApprovedAt',
  'RejectedAt',
  'WorkSeconds',
  'Agreement',
  'Majority',
  'Right',
]

const pagesOf =
  (db: Db, { task_id: taskId }: BatchRow) =>
  async (last: AnswerRow | null, limit: number) =>
    taskId === null
      ? []
      : answersByItem(db, taskId, {}, [last?.number ?? null, last?.worker_id ?? null], limit)

/**
 * Streams all answers of an open batch. The columns from `Approve` on are empty, for the buyer's decisions. `Golden.` and the
 * name of a question is a column for each with known answers in the file.
 */
export function sendAnswersCsv(reply: FastifyReply, db: Db, batch: BatchRow, raw: boolean): Readable {
  const { columns, content } = batch
  const names = content.form.fields.map(({ name }) => name)
  const closed = closedFields(content.form)
  const shown = columns.filter((column) => !isGoldenColumn(column))
  const known = columns.flatMap((column) =>
    isGoldenColumn(column) ? (goldenField(column, content.form)?.name ?? []) : [],
  )
  return sendCsv(reply, {
    name: 'answers.csv',
    heading: [
      ...FIXED,
      ...shown.map((column) => `Input.${column}`),
      ...known.map((name) => `Golden.${name}`),
      ...names.map((name) => `Answer.${name}`),
      ...closed.map(({ name }) => `Estimate.${name}`),
      'Approve',
      'Reject',
      'Category',
      'Requirement',
    ],
    raw,
    read: pagesOf(db, batch),
    cells: (row) => {
      const answer = presentAnswer(row, content.form)
      return [
        answer.item,
        answer._id,
        answer.worker,
        answer.state,
        answer.acceptedAt ?? '',
        answer.submittedAt,
        answer.approvedAt ?? '',
        answer.rejectedAt ?? '',
        answer.workSeconds ?? '',
        answer.agreement === null ? '' : Math.round(answer.agreement * 100),
        yesOrNo(answer.isMajority),
        yesOrNo(answer.isRight),
        ...shown.map((column) => row.input[column] ?? ''),
        ...known.map((name) => cellOf(answerTo(row.golden ?? {}, name))),
        ...names.map((name) => cellOf(answerTo(row.answers, name))),
        ...closed.map((field, place) => cellOf(answerOf(field, row.agreement?.[place]?.[3] ?? -1))),
        '',
        '',
        '',
        '',
      ]
    },
  })
}

const yesOrNo = (value: boolean | null) => (value === null ? '' : value ? 'yes' : 'no')

/** Returns the cell of an answer. Several options and pictures are separated by bars. */
const cellOf = (value: Answers[string] | null | undefined) =>
  Array.isArray(value) ? value.join('|') : (value ?? '')

/** Streams all answers of an open batch as JSON lines. */
export function sendAnswersJsonLines(reply: FastifyReply, db: Db, batch: BatchRow): Readable {
  reply.header('content-type', 'application/x-ndjson; charset=utf-8')
  reply.header('content-disposition', 'attachment; filename="answers.jsonl"')
  const { form } = batch.content
  return Readable.from(
    textsOf(pagesOf(db, batch), (rows) =>
      rows.map((row) => `${JSON.stringify(presentAnswer(row, form))}\n`).join(''),
    ),
  )
}
