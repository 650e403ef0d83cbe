import * as z from 'zod/mini'
import { Audience } from '#contract/audience.ts'
import { type AudienceValues, audienceOfValues } from './audience-values.ts'

/** The contract's schema of an audience, of the fields' values. */
export const AudienceField = z.pipe(
  z.transform((values: AudienceValues | undefined) => values && audienceOfValues(values)),
  z.optional(Audience),
)
