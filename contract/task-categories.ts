import * as z from 'zod/mini'
import { TASK_CATEGORIES } from './task-category-ids.ts'

export const TaskCategory = z.enum(TASK_CATEGORIES)
export type TaskCategory = z.infer<typeof TaskCategory>
