import * as z from 'zod/mini'
import { AnswerForm } from '#contract/answer-form.ts'
import { RESERVATION_MINUTES } from '#contract/product.ts'
import { type Project, ProjectContent, Quality, SCORE_AFTER } from '#contract/projects.ts'
import type { TaskCategory } from '#contract/task-categories.ts'
import { AudienceField } from '#web/features/audience/audience-schema.ts'
import { type AudienceValues, valuesOfAudience } from '#web/features/audience/audience-values.ts'
import { formOf, newQuestion, type Question, questionOf } from './question-values.ts'

export type Example = { key: string; text: string; good: boolean }

/** The values of the form of a project, as its fields have them. */
export type ProjectValues = {
  title: string
  instructions: string
  /** Names of columns, one per line. */
  pictureColumns: string
  examples: Example[]
  form: Question[]
  /** Empty until the buyer chooses one; the texts suggest it meanwhile. */
  category: TaskCategory | ''
  reward: number | ''
  workersPerItem: number | ''
  /** Empty: the review period of the marketplace. */
  reviewHours: string
  reservationMinutes: string
  quality: QualityValues
  /** Undefined in values that an earlier version kept in the browser. */
  audience: AudienceValues | undefined
}

/** Empty: no least score, no automatic approval. */
export type QualityValues = { leastScore: number | ''; scoreAfter: number | ''; approveShare: number | '' }

export const emptyProject = (): ProjectValues => ({
  title: '',
  instructions: '',
  pictureColumns: '',
  examples: [],
  form: [newQuestion()],
  category: '',
  reward: '',
  workersPerItem: 1,
  reviewHours: '',
  reservationMinutes: String(RESERVATION_MINUTES.default),
  quality: qualityValues(undefined),
  audience: valuesOfAudience(),
})

const qualityValues = (quality: Quality | undefined): QualityValues => ({
  leastScore: quality?.leastScore ?? '',
  scoreAfter: quality?.scoreAfter ?? SCORE_AFTER,
  approveShare: quality?.approveShare ?? '',
})

export const newExample = (good: boolean): Example => ({ key: crypto.randomUUID(), text: '', good })

export function valuesOfProject(project: Project): ProjectValues {
  return {
    title: project.title,
    instructions: project.instructions,
    pictureColumns: project.pictureColumns.join('\n'),
    examples: project.examples.map(({ text, good }) => ({ ...newExample(good), text })),
    form: project.form.fields.map(questionOf),
    category: project.category,
    reward: project.reward,
    workersPerItem: project.workersPerItem,
    reviewHours: project.reviewHours === null ? '' : String(project.reviewHours),
    reservationMinutes: String(project.reservationMinutes),
    quality: qualityValues(project.quality),
    audience: valuesOfAudience(project.audience),
  }
}

export function columnsIn(text: string): string[] {
  return text
    .split('\n')
    .map((column) => column.trim())
    .filter((column) => column !== '')
}

/** The contract's schema of a project, of the form's values. */
export const ProjectSchema = z.extend(ProjectContent, {
  pictureColumns: z.pipe(z.transform(columnsIn), ProjectContent.shape.pictureColumns),
  form: z.pipe(z.transform(formOf), AnswerForm),
  category: z.pipe(
    z.transform((value) => value || undefined),
    z.optional(ProjectContent.shape.category),
  ),
  reviewHours: z.pipe(
    z.transform((hours: string) => (hours === '' ? null : Number(hours))),
    ProjectContent.shape.reviewHours,
  ),
  reservationMinutes: z.pipe(z.transform(Number), ProjectContent.shape.reservationMinutes),
  quality: z.pipe(
    z.transform(({ leastScore, scoreAfter, approveShare }: QualityValues) => ({
      leastScore: leastScore === '' ? null : leastScore,
      scoreAfter: scoreAfter === '' ? SCORE_AFTER : scoreAfter,
      approveShare: approveShare === '' ? null : approveShare,
    })),
    Quality,
  ),
  audience: AudienceField,
})
