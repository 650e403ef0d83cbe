import { t } from '@lingui/core/macro'
import { Decision } from '#contract/batch-answers.ts'
import { csvEncoding, csvFormat } from '#contract/csv-format.ts'
import { REJECTION_CATEGORIES, type RejectionCategory } from '#contract/submission-states.ts'
import { validationText } from '#contract/validation-texts.en.ts'
import { REJECTION_CATEGORY_NAMES } from '#web/features/submissions/rejection-categories.ts'

/** The decisions of a file, and the rows that cannot be used, by the number that a spreadsheet shows. */
export type FileDecisions = { decisions: Decision[]; problems: { row: number; message: string }[] }

/**
 * Reads the decisions of an exported CSV file: any text in `Approve` approves, the text in `Reject` is the reason of a
 * rejection, and `Category` and `Requirement`, where there are such columns, are what it names. Rows without either are left out.
 */
export async function readDecisions(file: Blob): Promise<FileDecisions> {
  const { parse } = await import('csv-parse/browser/esm/sync')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = new TextDecoder(csvEncoding(bytes)).decode(bytes)
  const { separator, lineBreaks } = csvFormat(text)
  const [heading = [], ...rows] = parse(text, {
    bom: true,
    delimiter: separator,
    record_delimiter: lineBreaks,
    relax_column_count: true,
  }) as string[][]
  const places = ['Submission', 'Approve', 'Reject', 'Category', 'Requirement'].map((name) =>
    heading.findIndex((column) => column.trim().toLowerCase() === name.toLowerCase()),
  )
  const missing = ['Submission', 'Approve', 'Reject'].filter((_, index) => places[index] === -1)
  if (missing.length > 0) {
    const message =
      missing.length === 1
        ? t`Column ${{ column: missing.join(', ') }} is missing.`
        : t`Columns ${{ columns: missing.join(', ') }} are missing.`
    return { decisions: [], problems: [{ row: 1, message }] }
  }
  const found: FileDecisions = { decisions: [], problems: [] }
  const seen = new Set<string>()
  for (const [index, cells] of rows.entries()) {
    const [submission = '', approve = '', reason = '', category = '', requirement = ''] = places.map(
      (place) => (cells[place] ?? '').trim(),
    )
    if (approve === '' && reason === '') continue
    const report = (message: string) => found.problems.push({ row: index + 2, message })
    if (approve !== '' && reason !== '') report(t`Both Approve and Reject are filled in.`)
    else if ((reason + requirement).includes('\ufffd'))
      report(t`The reason cannot be read. Save the file as CSV UTF-8.`)
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

/** Returns the category that a cell names as the API or as the screens do; undefined without one. */
function categoryNamed(text: string): RejectionCategory | undefined {
  const name = text.toLowerCase()
  return REJECTION_CATEGORIES.find(
    (category) => category === name || REJECTION_CATEGORY_NAMES[category].toLowerCase() === name,
  )
}
