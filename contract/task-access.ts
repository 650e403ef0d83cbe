import * as z from 'zod/mini'
import { Ineligibility, WORK_LANGUAGES, WorkLanguage } from './audience.ts'
import { endpoint } from './endpoint.ts'
import { Ids } from './ids.ts'
import { ById, Id, Time } from './shapes.ts'
import { ListedTask } from './tasks.ts'

/** The tasks among these that the caller may not work on, each with the reason. */
export const myIneligibleTasks = endpoint({
  method: 'GET',
  path: '/my-ineligible-tasks',
  summary: 'The tasks among these on which the caller may not work, with the reason',
  access: { who: ['Worker'] },
  query: z.object({ tasks: z.optional(Ids) }),
  reply: z.array(z.extend(Ineligibility, { taskId: Id })),
})

export const tasksForFavourites = endpoint({
  method: 'GET',
  path: '/tasks-for-favourites',
  summary:
    'Open tasks that only the favourites of their buyers see yet, of whom the caller is one; newest first, at most 50',
  access: { who: ['Worker'] },
  reply: z.array(ListedTask),
})

/** The qualifications that buyers have granted to the caller. */
export const myQualifications = endpoint({
  method: 'GET',
  path: '/my-qualifications',
  summary: "The caller's qualifications, newest first, at most 200",
  access: { who: ['Worker'] },
  reply: z.array(
    z.object({
      _id: Id,
      name: z.string(),
      description: z.string(),
      buyerId: Id,
      buyerName: z.string(),
      since: Time,
    }),
  ),
})

/** The language of the account counts too, whether it is listed or not. */
const Languages = z.object({
  languages: z.array(WorkLanguage).check(z.maxLength(WORK_LANGUAGES.length)),
})

export const myLanguages = endpoint({
  method: 'GET',
  path: '/my-languages',
  summary: 'The languages in which the caller can work',
  access: { who: ['Worker'] },
  reply: Languages,
})

export const setMyLanguages = endpoint({
  method: 'PUT',
  path: '/my-languages',
  summary: 'Replace the languages in which the caller can work',
  access: { who: ['Worker'] },
  limit: { perUser: 120, perNetwork: 1200 },
  body: Languages,
  reply: Languages,
})

/** A POST, so that the token appears in no log. */
export const openTaskLink = endpoint({
  method: 'POST',
  path: '/task-links',
  summary: 'Open the link of a private task; the caller can work on the task from then on',
  access: { who: ['Worker'] },
  limit: { perUser: 120, perNetwork: 1200 },
  body: z.object({ token: z.string().check(z.regex(/^[0-9a-f]{32}$/, 'This link is not complete')) }),
  reply: z.object({ taskId: Id }),
  idempotency: 'own',
})

/** `workers` is how many have opened it. Null: the link was revoked. */
const TaskLink = z.object({ token: z.nullable(z.string()), workers: z.int() })

export const taskLink = endpoint({
  method: 'GET',
  path: '/tasks/:id/link',
  summary: "The link of the caller's own private task",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  params: ById,
  reply: TaskLink,
  errors: ['task_not_found'],
})

export const renewTaskLink = endpoint({
  method: 'POST',
  path: '/tasks/:id/link',
  summary: 'Replace the link of a private task; the former link and the access of those who opened it end',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  reply: TaskLink,
  errors: ['task_not_found'],
})

export const revokeTaskLink = endpoint({
  method: 'DELETE',
  path: '/tasks/:id/link',
  summary: 'Revoke the link of a private task, with the access of those who opened it',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  reply: TaskLink,
  errors: ['task_not_found'],
})
