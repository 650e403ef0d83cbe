import { RE2JS } from 're2js'

/** The states of a compiled pattern: the time of a match is in proportion to them and to the length of the text. */
const STATES_MAX = 500

/** Returns why a pattern cannot be used, or undefined. */
export function patternProblem(pattern: string): string | undefined {
  try {
    if (RE2JS.compile(pattern).programSize() > STATES_MAX) return 'This pattern is too complex'
    return undefined
  } catch {
    return 'This is not a valid pattern'
  }
}

/**
 * Returns whether a pattern matches a whole text. RE2 matches in linear time, so that no pattern of a buyer can occupy the
 * server (docs/decisions/0085-batches-beside-tasks.md).
 */
export function matchesPattern(pattern: string, text: string): boolean {
  return RE2JS.compile(pattern).matches(text)
}
