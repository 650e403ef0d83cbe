import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/items.ts'
import type { RouteContext } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { reservedItems, returnItem, submitItem, takeItem, workOnBatch } from './items.ts'
import { presentItemContent, presentReservedItem } from './present.ts'
import { itemOfSubmission, reviseItem } from './submitted-items.ts'

export function itemRoutes(app: FastifyInstance, context: RouteContext): void {
  const { config } = context

  serve(app, context, contract.itemsInWork, async ({ db, params, viewer }) => {
    const [[work], reserved] = await Promise.all([
      workOnBatch(db, params.id, viewer.id),
      reservedItems(db, params.id, viewer.id),
    ])
    if (work === undefined) throw new Refusal('task_not_found')
    return { ...work, reserved: reserved.map(presentReservedItem) }
  })

  serve(app, context, contract.takeItem, async ({ db, params, viewer }) =>
    presentReservedItem(await takeItem(db, config, params.id, viewer.id)),
  )

  serve(app, context, contract.returnItem, async ({ db, params, viewer }) => ({
    acknowledged: true,
    deletedCount: await returnItem(db, params.id, viewer.id, params.number),
  }))

  serve(app, context, contract.submitItem, async ({ db, params, body, viewer }) => {
    const item = { taskId: params.id, number: params.number }
    return { acknowledged: true, insertedId: await submitItem(db, config, item, viewer.id, body.answers) }
  })

  serve(app, context, contract.itemOfSubmission, async ({ db, params, viewer, caller }) => {
    const row = await itemOfSubmission(db, params.id, viewer, caller.key)
    const input = row.worker_id === viewer.id ? null : row.input
    return { ...presentItemContent(row), number: row.number, answers: row.answers, input }
  })

  serve(app, context, contract.reviseItem, async ({ db, params, body, viewer }) => {
    await reviseItem(db, config, params.id, viewer, body.answers)
    return { acknowledged: true }
  })
}
