import { t } from '@lingui/core/macro'
import { Decision } from '#contract/batch-answers.ts'
import { csvEncoding, csvFormat } from '#contract/csv-format.ts'
import { REJECTION_CATEGORIES, type RejectionCategory } from '#contract/submission-states.ts'
import { validationText } from '#contract/validation-texts.en.ts'
import { REJECTION_CATEGORY_NAMES } from '#web/features/submissions/rejection-categories.ts'

/** The decisions of a file, and the rows that cannot be used, by the number that a spreadsheet or a text editor shows. */
export type FileDecisions = { decisions: Decision[]; problems: { row: number; message: string }[] }

const NEEDED = ['Submission', 'Approve', 'Reject']
const NAMES = [...NEEDED, 'Category', 'Requirement']

/** The values of `NAMES` in a row, or why it has none. */
type Row = { row: number; values: string[]; problem?: string }
/** `names` are those of the heading, or of the first line. */
type Rows = { names: string[]; rows: Row[] }

/**
 * Reads the decisions of an exported file, CSV or JSON lines: any text in `Approve` approves, the text in `Reject` is the reason of
 * a rejection, and `Category` and `Requirement`, where the file has them, are what it names. Rows without either are left out.
 */
export async function readDecisions(file: Blob): Promise<FileDecisions> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = new TextDecoder(csvEncoding(bytes)).decode(bytes)
  const isJson = text.trimStart().startsWith('{')
  const { names, rows } = isJson ? jsonRows(text) : await csvRows(text)
  const missing = NEEDED.filter((name) => !names.includes(name.toLowerCase()))
  if (missing.length > 0) {
    const message =
      missing.length === 1
        ? t`Column ${{ column: missing.join(', ') }} is missing.`
        : t`Columns ${{ columns: missing.join(', ') }} are missing.`
    return { decisions: [], problems: [{ row: 1, message }] }
  }
  const found: FileDecisions = { decisions: [], problems: [] }
  const seen = new Set<string>()
  for (const { row, values, problem } of rows) {
    const [submission = '', approve = '', reason = '', category = '', requirement = ''] = values
    const report = (message: string) => found.problems.push({ row, message })
    if (problem !== undefined) report(problem)
    if (approve === '' && reason === '') continue
    if (approve !== '' && reason !== '') report(t`Both Approve and Reject are filled in.`)
    else if ((reason + requirement).includes('\ufffd'))
      report(
        isJson
          ? t`The reason cannot be read. Save the file as UTF-8.`
          : t`The reason cannot be read. Save the file as CSV UTF-8.`,
      )
    else if (reason !== '' && category !== '' && categoryNamed(category) === undefined)
      report(t`Not a category: ${category}`)
    else if (seen.has(submission)) report(t`Another row decides the same submission.`)
    else {
      const rejection = {
        reason,
        ...(category && { category: categoryNamed(category) }),
        ...(requirement && { requirement }),
      }
      const decision =
        approve === ''
          ? { submission, decision: 'reject', ...rejection }
          : { submission, decision: 'approve' }
      const parsed = Decision.safeParse(decision)
      if (parsed.success) found.decisions.push(parsed.data)
      else
        report(
          parsed.error.issues[0]?.path[0] === 'submission'
            ? t`Not a valid submission ID.`
            : validationText(parsed.error.issues[0]?.message ?? ''),
        )
      seen.add(submission)
    }
  }
  return found
}

const nameOf = (column: string) => column.trim().toLowerCase()

async function csvRows(text: string): Promise<Rows> {
  const { parse } = await import('csv-parse/browser/esm/sync')
  const { separator, lineBreaks } = csvFormat(text)
  const [heading = [], ...records] = parse(text, {
    bom: true,
    delimiter: separator,
    record_delimiter: lineBreaks,
    relax_column_count: true,
  }) as string[][]
  const names = heading.map(nameOf)
  const places = NAMES.map((name) => names.indexOf(nameOf(name)))
  const rows = records.map((cells, index) => ({
    row: index + 2,
    values: places.map((place) => (cells[place] ?? '').trim()),
  }))
  return { names, rows }
}

function jsonRows(text: string): Rows {
  let names: string[] | undefined
  const rows = text.split('\n').flatMap((line, index): Row | [] => {
    if (line.trim() === '') return []
    const row = index + 1
    const given = fieldsOf(line)
    names ??= given && [...given.keys()]
    if (given === undefined) return { row, values: [], problem: t`This line is not a JSON object.` }
    const values = NAMES.map((name) => textOf(given.get(nameOf(name))))
    const wrong = NAMES.find((_, place) => values[place] === undefined)
    if (wrong !== undefined) return { row, values: [], problem: t`${{ column: wrong }} is not a text.` }
    return { row, values: values.map((value = '') => value) }
  })
  return { names: names ?? [], rows }
}

function fieldsOf(line: string): Map<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return new Map(Object.entries(value).map(([name, field]) => [nameOf(name), field]))
  } catch {
    return undefined
  }
}

/** Returns the text of a value, of which null and false have none; undefined for a value that no cell could have. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === false) return ''
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || value === true ? String(value) : undefined
}

/** Returns the category that a cell names as the API or as the screens do; undefined without one. */
function categoryNamed(text: string): RejectionCategory | undefined {
  const name = text.toLowerCase()
  return REJECTION_CATEGORIES.find(
    (category) => category === name || REJECTION_CATEGORY_NAMES[category].toLowerCase() === name,
  )
}
