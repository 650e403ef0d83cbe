import assert from 'node:assert/strict'
import type { ProjectContent } from '#contract/projects.ts'
import type { Api } from './api.ts'
import { anOpenBatch } from './batches.ts'
import type { TestUser } from './factories.ts'

/** Answers that the form of `anOpenBatch` accepts. */
export const SHOP = { answers: { kind: 'Shop' } }

export const ascending = (one: number, other: number) => one - other

/** Returns how workers take and submit the items of batches through the API. Batches want one answer per item by default. */
export function itemWork(api: Api) {
  const rows = async (sql: string, values: unknown[] = []) => (await api.owner.query(sql, values)).rows
  const aBatch = (items: number, content: Partial<ProjectContent> = {}) =>
    anOpenBatch(api.database, { items, content: { workersPerItem: 1, ...content } })
  const take = (worker: TestUser, taskId: string) => api.as(worker).post(`/tasks/${taskId}/items`)
  const submit = (worker: TestUser, taskId: string, number: number, body: object = SHOP) =>
    api.as(worker).post(`/tasks/${taskId}/items/${number}/answers`, body)
  /** Takes the next item and submits it. Returns its number and the submission. */
  const work = async (worker: TestUser, taskId: string) => {
    const { body: item } = await take(worker, taskId)
    const { status, body } = await submit(worker, taskId, item.number)
    assert.equal(status, 200)
    return { number: item.number as number, id: body.insertedId as string }
  }
  const slotsLeft = async (taskId: string) =>
    (await rows('select slots_left from tasks where id = $1', [taskId]))[0].slots_left
  return { rows, aBatch, take, submit, work, slotsLeft }
}
