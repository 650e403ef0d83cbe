import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Answers } from '#contract/answer-form.ts'
import type { Db } from '#server/database/database.ts'
import { sendCsv } from '#server/http/csv-file.ts'
import { type AnswerRow, answersByItem } from './answers.ts'
import { presentAnswer } from './present-answers.ts'
import type { BatchRow } from './queries.ts'

const PAGE_ROWS = 1000
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
]

const pageAfter = (db: Db, taskId: string, last: AnswerRow | null, limit: number) =>
  answersByItem(db, taskId, {}, [last?.number ?? null, last?.worker_id ?? null], limit)

/** Streams all answers of an open batch. The columns `Approve` and `Reject` are empty, for the buyer's decisions. */
export function sendAnswersCsv(
  reply: FastifyReply,
  db: Db,
  { task_id: taskId, columns, content }: BatchRow,
  raw: boolean,
): Readable {
  const names = content.form.fields.map(({ name }) => name)
  return sendCsv(reply, {
    name: 'answers.csv',
    heading: [
      ...FIXED,
      ...columns.map((column) => `Input.${column}`),
      ...names.map((name) => `Answer.${name}`),
      'Approve',
      'Reject',
    ],
    raw,
    read: async (last: AnswerRow | null, limit) =>
      taskId === null ? [] : pageAfter(db, taskId, last, limit),
    cells: (row) => {
      const answer = presentAnswer(row)
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
        ...columns.map((column) => row.input[column] ?? ''),
        ...names.map((name) => cellOf(row.answers[name])),
        '',
        '',
      ]
    },
  })
}

/** Several options and pictures are separated by bars. */
const cellOf = (value: Answers[string] | undefined) =>
  Array.isArray(value) ? value.join('|') : (value ?? '')

/** Streams all answers of an open batch as JSON lines. */
export function sendAnswersJsonLines(reply: FastifyReply, db: Db, { task_id: taskId }: BatchRow): Readable {
  reply.header('content-type', 'application/x-ndjson; charset=utf-8')
  reply.header('content-disposition', 'attachment; filename="answers.jsonl"')
  return Readable.from(linesOf(db, taskId))
}

async function* linesOf(db: Db, taskId: string | null): AsyncGenerator<string> {
  for (let last: AnswerRow | null = null, rows: AnswerRow[] = []; taskId !== null; ) {
    rows = await pageAfter(db, taskId, last, PAGE_ROWS)
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(presentAnswer(row))}\n`).join('')
    if (rows.length < PAGE_ROWS) return
    last = rows.at(-1) ?? null
  }
}
