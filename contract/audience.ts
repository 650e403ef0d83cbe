import * as z from 'zod/mini'
import { Id, whole } from './shapes.ts'

/** The languages that workers can enter and tasks can require (ISO 639-1), those of the product first. */
export const WORK_LANGUAGES = [
  'bn',
  'en',
  'ar',
  'de',
  'es',
  'fr',
  'gu',
  'hi',
  'id',
  'it',
  'ja',
  'ko',
  'ml',
  'mr',
  'ms',
  'ne',
  'or',
  'pa',
  'pt',
  'ru',
  'si',
  'ta',
  'te',
  'th',
  'tr',
  'ur',
  'vi',
  'zh',
] as const
export const WorkLanguage = z.enum(WORK_LANGUAGES)
export type WorkLanguage = z.infer<typeof WorkLanguage>

/**
 * `favourites_first`: for the first hour only the buyer's favourites. `link`: in no list; only for those who open the task's link.
 */
export const VISIBILITIES = ['everyone', 'favourites_first', 'link'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** The qualifications that one task can require. */
export const REQUIRED_QUALIFICATIONS_MAX = 5

/** Who may work on a task (docs/specification/audience.md). All of it is required; null and empty require nothing. */
export const Audience = z.object({
  visibility: z.enum(VISIBILITIES),
  /** Ids of qualifications of the buyer. */
  qualifications: z.array(Id).check(
    z.maxLength(REQUIRED_QUALIFICATIONS_MAX, `At most ${REQUIRED_QUALIFICATIONS_MAX} qualifications`),
    z.refine((ids) => new Set(ids).size === ids.length, 'Each qualification once'),
  ),
  /** The least share of the worker's decided work that was approved. Workers without decided work have none to fall below. */
  approvalPercentMin: z.nullable(whole(1, 100)),
  /** The least number of approved submissions. */
  approvedMin: z.nullable(whole(1, 100_000)),
  language: z.nullable(WorkLanguage),
})
export type Audience = z.infer<typeof Audience>

/** Every worker, from the beginning. */
export const UNRESTRICTED_AUDIENCE: Audience = {
  visibility: 'everyone',
  qualifications: [],
  approvalPercentMin: null,
  approvedMin: null,
  language: null,
}

/** Returns whether an audience excludes nobody. */
export function isUnrestricted({ visibility, qualifications, ...rest }: Audience): boolean {
  return (
    visibility === 'everyone' &&
    qualifications.length === 0 &&
    Object.values(rest).every((required) => required === null)
  )
}

/** What a task requires, with the qualifications by name. */
export const TaskAudience = z.extend(Audience, {
  qualifications: z.array(z.object({ _id: Id, name: z.string(), description: z.string() })),
})
export type TaskAudience = z.infer<typeof TaskAudience>

/** A batch in which workers earn a qualification: from `answersMin` items with known answers on, `percentMin` percent of them right. */
export const TestBatch = z.object({
  qualification: z.string(),
  taskId: Id,
  title: z.string(),
  answersMin: z.int(),
  percentMin: z.int(),
})
export type TestBatch = z.infer<typeof TestBatch>

/**
 * Why the caller may not take a slot or an item: the error that taking one returns, `held` for a task on hold. Of a batch also `score`, too many wrong answers,
 * and `no_item`: there is none that they have not had. Both are in lists only.
 */
export const Ineligibility = z.object({
  reason: z.enum([
    'blocked',
    'link',
    'favourites',
    'qualification',
    'approved',
    'approval_rate',
    'language',
    'held',
    'score',
    'no_item',
  ]),
  message: z.string(),
  /** For the reason `qualification`, in the details of a task: open batches in which the caller can earn what they lack. */
  tests: z.optional(z.array(TestBatch)),
})
export type Ineligibility = z.infer<typeof Ineligibility>
