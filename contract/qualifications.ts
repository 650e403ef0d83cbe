import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { WorkerPseudonym } from './my-workers.ts'
import { ById, Id, line, Time, text } from './shapes.ts'

/** The qualifications that a buyer can have. */
export const QUALIFICATIONS_MAX = 50
export const QUALIFICATION_NAME_MAX = 80
/** The workers of one request. A client sends a longer list in groups. */
export const QUALIFIED_WORKERS_MAX = 500

const QualificationContent = z.object({
  name: line(QUALIFICATION_NAME_MAX, 'Enter a name'),
  /** What a worker reads about it: what it confirms, and how to get it. */
  description: text(1000, 'Describe what it confirms, and how to get it'),
})

export const Qualification = z.extend(QualificationContent, {
  _id: Id,
  workers: z.int(),
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

/** All or none: an unknown worker is refused. Those who did not have it are notified. */
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
