import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/users.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { page } from '#server/http/pagination.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { emailsAreShown } from '#server/users/email-visibility.ts'
import { deleteUser, previewDeletion } from './delete.ts'
import { exportUser } from './export.ts'
import { listUsers } from './list.ts'
import { presentCoinRole, presentPublic, presentTopWorker, presentUser } from './present.ts'
import { type UserRow, userByEmailKey } from './queries.ts'
import { register } from './register.ts'
import { pageOf, topWorkers } from './top-workers.ts'
import { updateRole } from './update-role.ts'

export function userRoutes(app: FastifyInstance, context: Context): void {
  serve(app, context, contract.registerUser, async ({ db, body, caller }) => {
    const { made, user } = await register(db, caller, {
      ...body,
      role: body.role ?? body.roll,
      image: body.image ?? '',
    })
    return { acknowledged: true, insertedId: made ? user.id : null, user: presentUser(user) }
  })

  serve(app, context, contract.userDetails, async ({ db, params }) =>
    presentUser(await named(db, params.email)),
  )

  serve(app, context, contract.coinRole, async ({ db, params }) =>
    presentCoinRole(await named(db, params.email)),
  )

  serve(app, context, contract.myData, async ({ db, params, reply }) => {
    const { id } = await named(db, params.email)
    reply.header('content-type', 'application/json; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="my-data.json"')
    return Readable.from(exportUser(db, id))
  })

  const richest = topWorkers(context.database)
  serve(app, context, contract.topWorkers, async ({ query, reply, request }) => {
    const [all, seesAddresses] = await Promise.all([richest(), emailsAreShown(context, request)])
    const rows = await page(
      reply,
      query,
      ['number', 'id'],
      async ([balance, id], count) => pageOf(all, balance as number | null, id as string | null, count),
      (row) => [row.balance, row.id],
    )
    return rows.map((row) => presentTopWorker(row, seesAddresses))
  })

  serve(app, context, contract.allUsers, async ({ db, query, reply, request }) => {
    const seesAddresses = await emailsAreShown(context, request)
    const rows = await page(
      reply,
      query,
      ['id'],
      ([after], count) =>
        listUsers(db, { ...query, byNameOnly: !seesAddresses }, after as string | null, count),
      (row) => [row.id],
    )
    return rows.map((row) => presentPublic(row, seesAddresses))
  })

  serve(app, context, contract.deleteUser, async ({ db, params, viewer }) => ({
    acknowledged: true,
    deletedCount: await deleteUser(db, params.id, viewer.id),
  }))

  serve(app, context, contract.deletionPreview, async ({ db, params }) => {
    const figures = await previewDeletion(db, params.id)
    return {
      tasksClosed: figures.tasks_closed,
      submissionsPaid: figures.submissions_paid,
      coinsPaid: figures.coins_paid,
      slotsReleased: figures.slots_released,
      withdrawalsCancelled: figures.withdrawals_cancelled,
      coinsSwept: figures.coins_swept,
    }
  })

  serve(app, context, contract.updateRole, async ({ db, params, body, viewer }) => ({
    acknowledged: true,
    matchedCount: 1,
    modifiedCount: await updateRole(db, params.id, body.value, viewer.id),
  }))
}

async function named(db: Db, email: string): Promise<UserRow> {
  const [user] = await userByEmailKey(db, emailKey(email) ?? '')
  if (user === undefined) throw new Refusal('user_not_found', 'Nobody is registered with this address.')
  return user
}
