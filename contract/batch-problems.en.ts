import { type BatchProblemKind, cellCounts, type PictureFailure } from './batch-problems.ts'

const NOT_LOADED: Record<PictureFailure, string> = {
  timeout: 'This picture does not load: its host did not respond in time.',
  unreachable: 'This picture does not load: its host cannot be reached at a public address.',
  not_picture: 'This URL does not lead to a picture (JPEG, PNG, WebP, GIF or AVIF).',
  too_large: 'This picture is larger than 10 MB.',
}

/** The sentence of every problem that the check of a file can find, made from its parameter. */
export const BATCH_PROBLEM_TEXTS: Record<BatchProblemKind, (parameter: string) => string> = {
  empty_file: () => 'The file has no rows.',
  too_many_rows: (max) => `The file has more than ${max} rows.`,
  too_many_answers: (rows) =>
    `The file has too many rows for the number of workers per item: at most ${rows} rows are possible.`,
  too_many_columns: (max) => `The file has more than ${max} columns.`,
  missing_column: () => 'The project needs this column, and the file lacks it.',
  unnamed_column: () => 'This column has no name.',
  repeated_column: () => 'Two columns have this name.',
  long_column: (max) => `The name of a column has at most ${max} characters.`,
  unread: () => 'The file cannot be read from here on: a quotation mark is not closed, or a row is too long.',
  quotes: () => 'The file cannot be read from here on: a quotation mark is in the wrong place.',
  not_json: () => 'This line is not a JSON object.',
  not_text: () => 'A value is a text, a number, true, false or null.',
  unknown_column: () => 'The first line has no value of this name.',
  cell_count: (cells) => {
    const [found, expected] = cellCounts(cells)
    return `The number of values differs from the heading: ${found} instead of ${expected}.`
  },
  characters: () =>
    'This value has characters that cannot be read. Save the file as "CSV UTF-8", then upload it again.',
  long_value: (max) => `A value has at most ${max} characters.`,
  empty_value: () => 'The project needs this value.',
  golden_question: () =>
    'No question with options or numbers has this name. Known answers belong to such questions.',
  golden_shown: () => 'The instructions or pictures use this column: workers would see the known answers.',
  golden_value: () => 'No worker could give this answer to the question.',
  picture_url: () =>
    'Enter the URL of a picture that starts with https://, without a port, a password or a private address.',
  repeated_row: (row) => `This row is the same as row ${row}.`,
  picture_not_loaded: (reason) =>
    NOT_LOADED[reason as PictureFailure] ??
    `This picture does not load: its host responds with status ${reason}.`,
  pictures_not_checked: (count) =>
    count === '1' ? '1 picture was not checked.' : `${count} pictures were not checked.`,
}

/** The words of the report as a CSV file. */
export const BATCH_REPORT = {
  headings: ['Row', 'Column', 'Kind', 'Problem'],
  error: 'Error',
  warning: 'Warning',
}
