/** Every problem that the check of a file can find. An error keeps the batch from being paid, a warning does not. */
const IS_ERROR = {
  empty_file: true,
  too_many_rows: true,
  too_many_answers: true,
  too_many_columns: true,
  missing_column: true,
  unnamed_column: true,
  repeated_column: true,
  long_column: true,
  unread: true,
  quotes: true,
  not_json: true,
  not_text: true,
  unknown_column: true,
  cell_count: true,
  characters: true,
  long_value: true,
  empty_value: true,
  golden_question: true,
  golden_shown: true,
  golden_value: true,
  picture_url: true,
  repeated_row: false,
  picture_not_loaded: false,
  pictures_not_checked: false,
}

export type BatchProblemKind = keyof typeof IS_ERROR

export const BATCH_PROBLEM_KINDS = Object.keys(IS_ERROR) as [BatchProblemKind, ...BatchProblemKind[]]

/** Returns whether a problem keeps the batch from being paid. */
export const isBatchError = (kind: BatchProblemKind): boolean => IS_ERROR[kind]

/** Why a picture does not load; the parameter of `picture_not_loaded` is one of these, or the status of the response. */
export type PictureFailure = 'timeout' | 'unreachable' | 'not_picture' | 'too_large'

/**
 * Returns the number of values in a row and that of its heading, from the parameter of `cell_count`. Reports of earlier releases have
 * the words "instead of" between them.
 */
export const cellCounts = (parameter: string): string[] => parameter.match(/\d+/g) ?? []
