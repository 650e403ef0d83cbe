import type { FastifyInstance } from 'fastify'
import * as workers from '#contract/my-workers.ts'
import * as qualifications from '#contract/qualifications.ts'
import * as access from '#contract/task-access.ts'
import type { RouteContext } from '#server/context.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { languagesOf, setLanguages } from './languages.ts'
import {
  blockWorker,
  liftBlock,
  myWorkers,
  presentMyWorker,
  setFavouriteWorker,
  unblockWorker,
} from './my-workers.ts'
import {
  changeQualification,
  createQualification,
  deleteQualification,
  qualificationsOfBuyer,
  qualificationsOfWorker,
  setQualificationTest,
  setQualifiedWorkers,
} from './qualifications.ts'
import { openTaskLink, revokeTaskLink, taskLinkOf } from './task-links.ts'

const DONE = { acknowledged: true }

export function audienceRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, workers.myWorkers, async ({ db, query, reply, viewer }) => {
    const rows = await page(
      reply,
      query,
      ['time', 'id'],
      (after, count) => myWorkers(db, viewer.id, query, after, count),
      ({ last_at, worker_id }) => [last_at, worker_id],
    )
    return rows.map(presentMyWorker)
  })

  serve(app, context, workers.setFavouriteWorker, async ({ db, params, body, viewer }) => {
    await setFavouriteWorker(db, viewer.id, params.worker, body.favourite)
    return DONE
  })

  serve(app, context, workers.blockWorker, async ({ db, params, body, viewer }) => {
    await blockWorker(db, viewer.id, params.worker, body.reason)
    return DONE
  })

  serve(app, context, workers.unblockWorker, async ({ db, params, viewer }) => {
    await unblockWorker(db, viewer.id, params.worker)
    return DONE
  })

  serve(app, context, workers.liftBlock, async ({ db, params, body, viewer }) => {
    await liftBlock(db, params.id, viewer.id, body.reason)
    return DONE
  })

  serve(app, context, qualifications.qualifications, ({ db, viewer }) => qualificationsOfBuyer(db, viewer.id))

  serve(app, context, qualifications.createQualification, ({ db, body, viewer }) =>
    createQualification(db, viewer.id, body),
  )

  serve(app, context, qualifications.changeQualification, ({ db, params, body, viewer }) =>
    changeQualification(db, params.id, viewer.id, body),
  )

  serve(app, context, qualifications.deleteQualification, async ({ db, params, viewer }) => {
    await deleteQualification(db, params.id, viewer.id)
    return undefined
  })

  serve(app, context, qualifications.setQualificationTest, ({ db, params, body, viewer }) =>
    setQualificationTest(db, params.id, viewer.id, body),
  )

  serve(app, context, qualifications.removeQualificationTest, ({ db, params, viewer }) =>
    setQualificationTest(db, params.id, viewer.id, null),
  )

  serve(app, context, qualifications.setQualifiedWorkers, async ({ db, params, body, viewer }) => ({
    changed: await setQualifiedWorkers(db, params.id, viewer.id, body),
  }))

  serve(app, context, access.myQualifications, async ({ db, viewer }) =>
    (await qualificationsOfWorker(db, viewer.id)).map(({ id, buyer_id, buyer_name, ...row }) => ({
      ...row,
      _id: id,
      buyerId: buyer_id,
      buyerName: buyer_name,
    })),
  )

  serve(app, context, access.myLanguages, async ({ db, viewer }) => ({
    languages: await languagesOf(db, viewer.id),
  }))

  serve(app, context, access.setMyLanguages, async ({ db, body, viewer }) => ({
    languages: await setLanguages(db, viewer.id, body.languages),
  }))

  serve(app, context, access.openTaskLink, async ({ db, body, viewer }) => ({
    taskId: await openTaskLink(db, body.token, viewer.id),
  }))

  serve(app, context, access.taskLink, ({ db, params, viewer }) => taskLinkOf(db, params.id, viewer.id))

  serve(app, context, access.renewTaskLink, ({ db, params, viewer }) =>
    revokeTaskLink(db, params.id, viewer.id, { renew: true }),
  )

  serve(app, context, access.revokeTaskLink, ({ db, params, viewer }) =>
    revokeTaskLink(db, params.id, viewer.id, { renew: false }),
  )
}
