const BOUNDS = {
  uuid: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  bigint: ['-9223372036854775808', '9223372036854775807'],
  date: ['-infinity', 'infinity'],
  timestamptz: ['-infinity', 'infinity'],
  // The only text keys are hashes in hexadecimal digits.
  text: ['', 'z'],
} as const

export type KeyType = keyof typeof BOUNDS

/**
 * Returns SQL for the upper bound of a page, newest first: the cursor, or the type's maximum for the first page. This keeps
 * the condition one comparison, which an index serves at any depth; `is null or id < …` scans from the beginning.
 */
export const beforeCursor = (cursor: string, type: KeyType) =>
  `coalesce(${cursor}::${type}, '${BOUNDS[type][1]}')`

/** Returns SQL for the lower bound of a page, oldest first. */
export const afterCursor = (cursor: string, type: KeyType) =>
  `coalesce(${cursor}::${type}, '${BOUNDS[type][0]}')`
