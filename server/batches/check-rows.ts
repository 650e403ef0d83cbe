import { createHash } from 'node:crypto'
import { isBatchError } from '#contract/batch-problems.ts'
import {
  BATCH_COLUMNS_MAX,
  BATCH_PROBLEMS_MAX,
  BATCH_ROWS_MAX,
  BATCH_SAMPLES,
  BATCH_VALUE_MAX,
} from '#contract/batches.ts'
import { SLOTS_MAX, URL_MAX } from '#contract/product.ts'
import { COLUMN_MAX, type ProjectContent } from '#contract/projects.ts'
import { isPublicUrl, isStandardHttps } from '#server/http/public-request.ts'
import { columnsOf } from '#server/projects/present.ts'
import { goldenField, isGoldenColumn, isShown, itemOf, knownAnswer } from './golden.ts'
import type { StoredProblem } from './queries.ts'
import type { FileRow, FileRows } from './read-rows.ts'

/** Rows between two reports of the progress. */
const PROGRESS_ROWS = 2_000

export type CheckedFile = {
  encoding: string
  separator: string | null
  columns: string[]
  items: number
  /** The items with known answers. */
  golden: number
  errors: number
  warnings: number
  /** The first errors and, as far as they leave room, the first warnings, by row. */
  problems: StoredProblem[]
  samples: Record<string, string>[]
}

/**
 * Checks the heading and every row of a file against its project. `onProgress` is given the number of rows, and the
 * pictures in those that came since it was called before.
 */
export async function checkRows(
  { encoding, separator, columns, rows }: FileRows,
  content: ProjectContent,
  onProgress: (rows: number, pictures: string[]) => Promise<void>,
): Promise<CheckedFile> {
  const checked: CheckedFile = {
    encoding,
    separator,
    columns: columns.slice(0, BATCH_COLUMNS_MAX).map((name) => storable(name.slice(0, COLUMN_MAX))),
    items: 0,
    golden: 0,
    errors: 0,
    warnings: 0,
    problems: [],
    samples: [],
  }
  const errors: StoredProblem[] = []
  const warnings: StoredProblem[] = []
  const report = (problem: StoredProblem) => {
    const isError = isBatchError(problem.kind)
    if (isError) checked.errors++
    else checked.warnings++
    const listed = isError ? errors : warnings
    if (listed.length < BATCH_PROBLEMS_MAX)
      listed.push({ ...problem, column: problem.column && storable(problem.column) })
  }
  const withProblems = (): CheckedFile => ({
    ...checked,
    problems: [...errors, ...warnings].slice(0, BATCH_PROBLEMS_MAX).toSorted(byRow),
  })

  checkHeading(columns, content).forEach(report)
  if (columns.length > BATCH_COLUMNS_MAX) return withProblems()
  const checkRow = rowChecker(columns, content)
  const pictures: string[] = []
  const pictureColumns = content.pictureColumns.filter((name) => checked.columns.includes(name))
  for await (const row of rows) {
    if (checked.items === BATCH_ROWS_MAX) {
      report({
        row: row.row,
        column: null,
        kind: 'too_many_rows',
        parameter: BATCH_ROWS_MAX.toLocaleString('en'),
      })
      break
    }
    checked.items++
    const problems = checkRow(row)
    problems.forEach(report)
    if (problems.every(({ kind }) => !isBatchError(kind))) {
      const item = itemOf(checked.columns, row.values, content.form)
      if (item.golden !== null) checked.golden++
      pictures.push(...pictureColumns.map((name) => (item.input[name] ?? '').trim()))
      if (checked.samples.length < BATCH_SAMPLES && problems.length === 0) checked.samples.push(item.input)
    }
    if (checked.items % PROGRESS_ROWS === 0) await onProgress(checked.items, pictures.splice(0))
  }
  await onProgress(checked.items, pictures)
  const rowsMax = Math.floor(SLOTS_MAX / content.workersPerItem)
  if (checked.items === 0) report({ row: null, column: null, kind: 'empty_file', parameter: '' })
  else if (checked.items > rowsMax)
    report({ row: null, column: null, kind: 'too_many_answers', parameter: rowsMax.toLocaleString('en') })
  return withProblems()
}

/** Compares problems by row, those of the whole file first. */
export const byRow = (one: StoredProblem, other: StoredProblem) => (one.row ?? 0) - (other.row ?? 0)

function checkHeading(columns: readonly string[], content: ProjectContent): StoredProblem[] {
  const problems: StoredProblem[] = []
  const add = (kind: StoredProblem['kind'], column: string | null, parameter = '') =>
    problems.push({ row: 1, column, kind, parameter })
  if (columns.length > BATCH_COLUMNS_MAX) add('too_many_columns', null, String(BATCH_COLUMNS_MAX))
  for (const [index, column] of columns.slice(0, BATCH_COLUMNS_MAX).entries()) {
    if (column === '') add('unnamed_column', String(index + 1))
    else if (column.length > COLUMN_MAX) add('long_column', column.slice(0, COLUMN_MAX), String(COLUMN_MAX))
    else if (!isReadable(column)) add('characters', column)
    else if (firstOf(columns, column) < index) add('repeated_column', column)
    else if (isGoldenColumn(column) && isShown(column, content)) add('golden_shown', column)
    else if (isGoldenColumn(column) && goldenField(column, content.form) === undefined)
      add('golden_question', column)
  }
  if (columns.length === 0) return problems
  for (const column of columnsOf(content)) if (!columns.includes(column)) add('missing_column', column)
  return problems
}

/** Returns the place of the first column with a name. The names of golden columns are those of questions, which differ in lower case. */
const firstOf = (columns: readonly string[], column: string) =>
  isGoldenColumn(column)
    ? columns.findIndex((other) => other.toLowerCase() === column.toLowerCase())
    : columns.indexOf(column)

/** Returns the check of a row. It remembers a hash of each row, which finds the same row again. */
function rowChecker(columns: readonly string[], content: ProjectContent) {
  const needed = new Set(columnsOf(content))
  const pictures = new Set(content.pictureColumns)
  const golden = columns.map((column) =>
    isGoldenColumn(column) ? goldenField(column, content.form) : undefined,
  )
  const rowOf = new Map<string, number>()

  return ({ row, values, problems: ofForm }: FileRow): StoredProblem[] => {
    if (values.length === 0 || ofForm.length > 0) return ofForm
    const problems: StoredProblem[] = []
    for (const [index, value] of values.entries()) {
      const column = columns[index] ?? ''
      const field = golden[index]
      const kind =
        problemOf(value, needed.has(column), pictures.has(column)) ??
        (field !== undefined && value.trim() !== '' && knownAnswer(field, value) === undefined
          ? 'golden_value'
          : undefined)
      if (kind !== undefined)
        problems.push({ row, column, kind, parameter: kind === 'long_value' ? String(BATCH_VALUE_MAX) : '' })
    }
    const hash = createHash('sha1').update(JSON.stringify(values)).digest('base64')
    const earlier = rowOf.get(hash)
    if (earlier === undefined) rowOf.set(hash, row)
    else problems.push({ row, column: null, kind: 'repeated_row', parameter: String(earlier) })
    return problems
  }
}

function problemOf(value: string, isNeeded: boolean, isPicture: boolean): StoredProblem['kind'] | undefined {
  if (value.length > BATCH_VALUE_MAX) return 'long_value'
  if (!isReadable(value)) return 'characters'
  if (isNeeded && value.trim() === '') return 'empty_value'
  if (isPicture && !isPictureUrl(value.trim())) return 'picture_url'
  return undefined
}

// U+FFFD stands for bytes that the encoding does not know.
const isReadable = (text: string) => text.isWellFormed() && !/(?![\t\n\v\f\r])[\p{Cc}\ufffd]/u.test(text)

const storable = (text: string) => text.toWellFormed().replaceAll('\u0000', '\ufffd')

/** The longest URL of a picture that can be shown, in bytes (server/tasks/item-pictures.sql). */
const PICTURE_URL_BYTES_MAX = 2_500

/** Returns whether the server would request this URL of a picture (server/images/foreign-pictures.ts). */
function isPictureUrl(value: string): boolean {
  const isShort = value.length <= URL_MAX && Buffer.byteLength(value) <= PICTURE_URL_BYTES_MAX
  const url = isShort && !/\s/.test(value) ? URL.parse(value) : null
  return url !== null && isStandardHttps(url) && isPublicUrl(url)
}
