import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { REWARD_MAX } from './product.ts'
import { line, whole } from './shapes.ts'
import { TaskCategory } from './task-categories.ts'
import { TaskSort } from './tasks.ts'

export const SAVED_FILTERS_MAX = 20
export const FILTER_NAME_MAX = 40

/** A named filter of the task lists. What is left out does not filter. */
export const SavedTaskFilter = z.object({
  name: line(FILTER_NAME_MAX, 'Enter a name'),
  q: z.optional(line(200)),
  category: z.optional(TaskCategory),
  pay_min: z.optional(whole(1, REWARD_MAX)),
  open: z.optional(z.boolean()),
  sort: z.optional(TaskSort),
})
export type SavedTaskFilter = z.infer<typeof SavedTaskFilter>

const SavedTaskFilters = z.object({
  filters: z.array(SavedTaskFilter).check(z.maxLength(SAVED_FILTERS_MAX)),
})

export const taskFilters = endpoint({
  method: 'GET',
  path: '/task-filters',
  summary: "The caller's saved filters of the task lists",
  access: { who: 'signed-in' },
  reply: SavedTaskFilters,
})

export const setTaskFilters = endpoint({
  method: 'PUT',
  path: '/task-filters',
  summary: "Replace the caller's saved filters of the task lists",
  access: { who: 'signed-in' },
  limit: { perUser: 120, perNetwork: 1200 },
  body: SavedTaskFilters,
  reply: SavedTaskFilters,
})
