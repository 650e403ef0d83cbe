import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import * as manage from '#contract/manage-users.ts'
import * as contract from '#contract/users.ts'
import type { RouteContext } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { clientOf } from '#server/http/client.ts'
import { page } from '#server/http/pagination.ts'
import { consumeRateLimit, throwRateLimited } from '#server/http/rate-limit.ts'
import { Refusal } from '#server/http/refusal.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { logExport } from '#server/security-log/log-event.ts'
import { canSeeEmails } from '#server/users/email-visibility.ts'
import { deleteUser, previewDeletion } from './delete.ts'
import { exportUser } from './export.ts'
import { approvedKey, listByApproved, listUsers } from './list.ts'
import { presentCoinRole, presentProfile, presentReviewer, presentTopWorker, presentUser } from './present.ts'
import { profileById, readReviewers, type UserRow, userByEmailKey } from './queries.ts'
import { register } from './register.ts'
import { topWorkers, topWorkersAfter } from './top-workers.ts'
import { setReviewer, updateRole } from './update-role.ts'

export function userRoutes(app: FastifyInstance, context: RouteContext): void {
  const readTopWorkers = topWorkers()

  serve(app, context, contract.registerUser, async ({ db, body, caller, request }) => {
    const { created, user } = await register(db, caller, {
      ...body,
      locale: body.locale ?? requestLocale(request),
      role: body.role ?? body.roll,
      image: body.image ?? '',
    })
    return { acknowledged: true, insertedId: created ? user.id : null, user: presentUser(user) }
  })

  serve(app, context, contract.userDetails, async ({ db, params }) =>
    presentUser(await requireUserByEmail(db, params.email)),
  )

  serve(app, context, contract.coinRole, async ({ db, params }) =>
    presentCoinRole(await requireUserByEmail(db, params.email)),
  )

  serve(app, context, contract.myData, async ({ db, params, viewer, request, reply }) => {
    const { id } = await requireUserByEmail(db, params.email)
    await limitExports(db, viewer.id)
    await logExport(db, id, viewer.id, clientOf(request), 'account')
    reply.header('content-type', 'application/json; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="my-data.json"')
    return Readable.from(exportUser(db, id))
  })

  serve(app, context, contract.topWorkers, async ({ db, query, reply, request }) => {
    const [topList, seesEmails] = await Promise.all([readTopWorkers(db), canSeeEmails(context, request)])
    const rows = await page(
      reply,
      query,
      ['number', 'id'],
      async ([balance, id], count) =>
        topWorkersAfter(topList, balance as number | null, id as string | null, count),
      (row) => [row.balance, row.id],
    )
    return rows.map((row) => presentTopWorker(row, seesEmails))
  })

  serve(app, context, contract.publicProfile, async ({ db, params, request }) => {
    const [[profile], seesEmails] = await Promise.all([
      profileById(db, params.id),
      canSeeEmails(context, request),
    ])
    // As in the public list, those who cannot see emails find no Admins.
    if (profile === undefined || (profile.role === 'Admin' && !seesEmails))
      throw new Refusal('user_not_found')
    return presentProfile(profile, seesEmails)
  })

  serve(app, context, contract.allUsers, async ({ db, query, reply, request }) => {
    const seesEmails = await canSeeEmails(context, request)
    const filter = { ...query, seesEmails }
    const rows =
      query.sort === 'approved'
        ? await page(
            reply,
            query,
            ['number', 'id'],
            ([approved, id], count) =>
              listByApproved(
                db,
                filter,
                { approved: approved as number | null, id: id as string | null },
                count,
              ),
            (row) => [approvedKey(row), row.id],
          )
        : await page(
            reply,
            query,
            ['id'],
            ([after], count) => listUsers(db, filter, after as string | null, count),
            (row) => [row.id],
          )
    return rows.map((row) => presentProfile(row, seesEmails))
  })

  serve(app, context, manage.deleteUser, async ({ db, params, viewer }) => ({
    acknowledged: true,
    deletedCount: await deleteUser(db, params.id, viewer.id),
  }))

  serve(app, context, manage.deletionPreview, async ({ db, params }) => {
    const preview = await previewDeletion(db, params.id)
    return {
      tasksClosed: preview.tasks_closed,
      reservationsCancelled: preview.reservations_cancelled,
      submissionsPaid: preview.submissions_paid,
      coinsPaid: preview.coins_paid,
      slotsReleased: preview.slots_released,
      withdrawalsCancelled: preview.withdrawals_cancelled,
      coinsSwept: preview.coins_swept,
    }
  })

  serve(app, context, manage.updateRole, async ({ db, params, body, viewer, request }) => ({
    acknowledged: true,
    matchedCount: 1,
    modifiedCount: await updateRole(db, context.config, params.id, body.value, viewer.id, clientOf(request)),
  }))

  serve(app, context, manage.setReviewer, async ({ db, params, body, viewer, request }) => ({
    acknowledged: true,
    modifiedCount: await setReviewer(db, params.id, { isReviewer: body.value }, viewer.id, clientOf(request)),
  }))

  serve(app, context, manage.listReviewers, async ({ db }) => (await readReviewers(db)).map(presentReviewer))
}

/** Limits a viewer to 20 exports an hour, because each reads all data of a user. */
async function limitExports(db: Db, viewerId: string): Promise<void> {
  const [exceeded] = await consumeRateLimit(db, [{ key: `my-data:${viewerId}`, max: 20, seconds: 3600 }])
  if (exceeded) throwRateLimited(exceeded.resetsAt)
}

async function requireUserByEmail(db: Db, email: string): Promise<UserRow> {
  const [user] = await userByEmailKey(db, emailKey(email) ?? '')
  if (user === undefined) throw new Refusal('user_not_found.email')
  return user
}
