import type * as z from 'zod/mini'

/**
 * Returns a message for an issue whose schema has none of its own. Clients show messages to users unchanged
 * (docs/specification/api.md), which the validator's own wording does not allow.
 */
export function validationMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && issue.path?.length) return 'This field is required'
      return KINDS[issue.expected] ?? 'This has the wrong type'
    case 'invalid_value':
      return issue.values.length === 1
        ? `This should be ${String(issue.values[0])}`
        : `Choose one of ${issue.values.join(', ')}`
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'This field is required'
      return `At least ${issue.minimum}${UNITS[issue.origin] ?? ''}`
    case 'too_big':
      return `At most ${issue.maximum}${UNITS[issue.origin] ?? ''}`
    case 'invalid_format':
      return issue.format === 'uuid' ? 'This is not an id' : 'This format is not valid'
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return 'This value is not valid'
  }
}

const KINDS: Record<string, string> = {
  string: 'This should be text',
  number: 'This should be a number',
  int: 'This should be a whole number',
  boolean: 'This should be true or false',
  object: 'Send a JSON object',
}

const UNITS: Record<string, string> = { string: ' characters' }
