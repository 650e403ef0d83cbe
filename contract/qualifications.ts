import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { WorkerPseudonym } from './my-workers.ts'
import { SCORE_AFTER_MAX } from './projects.ts'
import { ById, Id, line, Time, text, whole } from './shapes.ts'

/** The qualifications that a buyer can have. */
export const QUALIFICATIONS_MAX = 50
export const QUALIFICATION_NAME_MAX = 80
/** The workers of one request. A client sends a longer list in groups. */
export const QUALIFIED_WORKERS_MAX = 500

export const QualificationContent = z.object({
  name: line(QUALIFICATION_NAME_MAX, 'Enter a name'),
  /** What a worker reads about it: what it confirms, and how to get it. */
  description: text(1000, 'Describe what it confirms, and how to get it'),
})

/** A worker earns the qualification in the batches of a project, by answers to items with known answers. */
export const QualificationTest = z.object({
  /** Id of a project of the caller. */
  project: Id,
  /** The answers to items with known answers from which on it is earned. */
  answersMin: whole(1, SCORE_AFTER_MAX),
  /** The least share of them that is right. */
  percentMin: whole(1, 100),
})

export const Qualification = z.extend(QualificationContent, {
  _id: Id,
  workers: z.int(),
  /** Null: it is only granted. */
  test: z.nullable(z.extend(QualificationTest, { projectTitle: z.string() })),
  createdAt: Time,
})
export type Qualification = z.infer<typeof Qualification>

export const qualifications = endpoint({
  method: 'GET',
  path: '/qualifications',
  summary: "The caller's qualifications, by name",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  reply: z.array(Qualification),
})

export const createQualification = endpoint({
  method: 'POST',
  path: '/qualifications',
  summary: 'Create a qualification, which tasks can require',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 300, perNetwork: 3000 },
  body: QualificationContent,
  reply: Qualification,
  status: 201,
  errors: ['state_conflict'],
})

export const changeQualification = endpoint({
  method: 'PUT',
  path: '/qualifications/:id',
  summary: 'Change the name and the description of a qualification',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 300, perNetwork: 3000 },
  params: ById,
  body: QualificationContent,
  reply: Qualification,
  errors: ['state_conflict'],
})

export const deleteQualification = endpoint({
  method: 'DELETE',
  path: '/qualifications/:id',
  summary: 'Delete a qualification that no open task requires',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 300, perNetwork: 3000 },
  params: ById,
  reply: z.undefined(),
  status: 204,
  errors: ['state_conflict'],
})

/** Workers whose right answers suffice already earn it at once. Those who have it keep it. */
export const setQualificationTest = endpoint({
  method: 'PUT',
  path: '/qualifications/:id/test',
  summary: 'Let workers earn a qualification by answers to items with known answers',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 300, perNetwork: 3000 },
  params: ById,
  body: QualificationTest,
  reply: Qualification,
})

export const removeQualificationTest = endpoint({
  method: 'DELETE',
  path: '/qualifications/:id/test',
  summary: 'Let workers earn a qualification no more; those who have it keep it',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 300, perNetwork: 3000 },
  params: ById,
  reply: Qualification,
})

/**
 * All or none: an unknown worker is refused. Those who did not have it are notified. A worker does not earn a qualification that was
 * revoked until it is granted again.
 */
export const setQualifiedWorkers = endpoint({
  method: 'PUT',
  path: '/qualifications/:id/workers',
  summary: 'Grant a qualification to workers, or revoke it',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({
    workers: z.array(WorkerPseudonym).check(z.minLength(1), z.maxLength(QUALIFIED_WORKERS_MAX)),
    qualified: z.boolean(),
  }),
  reply: z.object({ changed: z.int() }),
})
