import { type FormErrors, schemaResolver } from '@mantine/form'
import type * as z from 'zod/mini'
import { validationText } from '#contract/validation-texts.en.ts'

/** Returns the messages of values that a schema rejects, by the path of their field, in the language of the page. */
export function validate(schema: z.ZodMiniType, values: Record<string, unknown>): FormErrors {
  const resolve = schemaResolver(schema as never, { sync: true }) as (values: unknown) => FormErrors
  return translateErrors(resolve(values))
}

/** The messages of schemas are in English, and those of the server in the language of the page. */
function translateErrors(errors: FormErrors): FormErrors {
  const entries = Object.entries(errors)
  return Object.fromEntries(
    entries.map(([field, error]) => [field, typeof error === 'string' ? validationText(error) : error]),
  )
}
