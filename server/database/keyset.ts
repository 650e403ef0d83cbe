const ENDS = {
  uuid: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  bigint: ['-9223372036854775808', '9223372036854775807'],
  date: ['-infinity', 'infinity'],
  // The one kind of text that is a key is a hash in hexadecimal digits.
  text: ['', 'z'],
} as const

export type KeyType = keyof typeof ENDS

/**
 * What a list goes on before, newest first: the given key, or the end of its type where none is given. In this way it is
 * one comparison, which an index answers at any depth; "is null or below" is answered by reading from the beginning.
 */
export const beforeCursor = (given: string, type: KeyType) =>
  `coalesce(${given}::${type}, '${ENDS[type][1]}')`

/** The same for a list with the oldest first. */
export const afterCursor = (given: string, type: KeyType) => `coalesce(${given}::${type}, '${ENDS[type][0]}')`
