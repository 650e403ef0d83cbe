/**
 * The sentence of every problem that the check of a file can find, made from its parameter. An error keeps the batch from
 * being paid, a warning does not.
 */
const TEXTS = {
  empty_file: { isError: true, text: () => 'The file has no rows.' },
  too_many_rows: { isError: true, text: (max: string) => `The file has more than ${max} rows.` },
  too_many_columns: { isError: true, text: (max: string) => `The file has more than ${max} columns.` },
  missing_column: { isError: true, text: () => 'The project needs this column, and the file lacks it.' },
  unnamed_column: { isError: true, text: () => 'This column has no name.' },
  repeated_column: { isError: true, text: () => 'Two columns have this name.' },
  long_column: {
    isError: true,
    text: (max: string) => `The name of a column has at most ${max} characters.`,
  },
  unread: {
    isError: true,
    text: () => 'The file cannot be read from here on: a quotation mark is not closed, or a row is too long.',
  },
  quotes: {
    isError: true,
    text: () => 'The file cannot be read from here on: a quotation mark is in the wrong place.',
  },
  not_json: { isError: true, text: () => 'This line is not a JSON object.' },
  not_text: { isError: true, text: () => 'A value is a text, a number, true, false or null.' },
  unknown_column: { isError: true, text: () => 'The first line has no value of this name.' },
  cell_count: {
    isError: true,
    text: (cells: string) => `The number of values differs from the heading: ${cells}.`,
  },
  characters: {
    isError: true,
    text: () =>
      'This value has characters that cannot be read. Save the file as "CSV UTF-8", then upload it again.',
  },
  long_value: { isError: true, text: (max: string) => `A value has at most ${max} characters.` },
  empty_value: { isError: true, text: () => 'The project needs this value.' },
  picture_url: { isError: true, text: () => 'Enter the URL of a picture that starts with https://.' },
  repeated_row: { isError: false, text: (row: string) => `This row is the same as row ${row}.` },
} satisfies Record<string, { isError: boolean; text: (parameter: string) => string }>

export type BatchProblemKind = keyof typeof TEXTS

export const BATCH_PROBLEM_KINDS = Object.keys(TEXTS) as [BatchProblemKind, ...BatchProblemKind[]]

/** Whether a problem keeps the batch from being paid. */
export const isBatchError = (kind: BatchProblemKind): boolean => TEXTS[kind].isError

export function batchProblemText(kind: BatchProblemKind, parameter: string): string {
  return TEXTS[kind].text(parameter)
}
