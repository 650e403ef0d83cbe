import { t } from '@lingui/core/macro'
import { openAppeal, submissionCase } from '#contract/appeals.ts'
import { itemOfSubmission, itemsInWork, reviseItem, submitItem } from '#contract/items.ts'
import { reviseSubmission } from '#contract/revisions.ts'
import { mySubmissionCounts, mySubmissions, submitWork } from '#contract/submissions.ts'
import { taskDetails, taskListWorker } from '#contract/tasks.ts'
import { waiting } from '#contract/waiting.ts'
import { ApiError, call, isRefusal } from '#web/lib/api.ts'
import { deleteDraft, readDraft, storeDraft } from '#web/lib/drafts.ts'
import { getIdentity } from '#web/lib/id-token.ts'
import { invalidateEndpoints, queryClient } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toasts.tsx'
import {
  type CaseReply,
  putUnsent,
  readUnsent,
  removeUnsent,
  type UnsentReply,
  type UnsentWork,
} from './unsent-work.ts'

/** Returns the key of the draft of a task's form. */
export const workDraftKey = (userId: string, taskId: string) => `work ${userId} ${taskId}`
/** Returns the key of the draft of the answers to an item. */
export const itemDraftKey = (userId: string, taskId: string, number: number) =>
  `item ${userId} ${taskId} ${number}`
/** Returns the key of the draft of revised work or of an appeal. */
export const replyDraftKey = (userId: string, submissionId: string, kind: CaseReply['kind']) =>
  `${kind} ${userId} ${submissionId}`

function draftKeyOf(work: UnsentWork): string {
  const { userId, taskId, item } = work
  if (taskId === undefined) return replyDraftKey(userId, work.submissionId, work.reply.kind)
  return item ? itemDraftKey(userId, taskId, item.number) : workDraftKey(userId, taskId)
}

function draftOf(work: UnsentWork): unknown {
  if (work.item !== undefined) return work.item.answers
  if (work.taskId !== undefined) return { submissoin_data: work.body.submissoin_data }
  const { kind, body } = work.reply
  if (kind === 'revision') return { text: body.submissoin_data }
  return kind === 'appeal' ? body : body.answers
}

/** Returns a draft to compare: the form trims what it sends. */
const trimmed = (draft: unknown) =>
  JSON.stringify(draft, (_, value: unknown) => (typeof value === 'string' ? value.trim() : value))

/** Returns whether the worker has changed the text after this work was sent: that draft stays. */
function hasNewerDraft(work: UnsentWork): boolean {
  const draft = readDraft<unknown>(draftKeyOf(work), null)
  return draft !== null && trimmed(draft) !== trimmed(draftOf(work))
}

/** Returns whether the work is still to be sent: the worker may be editing it, or another tab may have sent it. */
const isStored = (work: UnsentWork) => readUnsent(work)?.idempotencyKey === work.idempotencyKey

const inFlight = new Set<string>()

/**
 * Runs `send` unless this work is being sent, in this tab or another. Where the browser has no locks, the idempotency key
 * makes the second request return the response of the first.
 */
async function exclusively<T>(
  { idempotencyKey }: UnsentWork,
  send: () => Promise<T>,
): Promise<T | undefined> {
  if (inFlight.has(idempotencyKey)) return undefined
  inFlight.add(idempotencyKey)
  try {
    const locks = navigator.locks as LockManager | null | undefined
    if (!locks) return await send()
    return await locks.request(`work ${idempotencyKey}`, { ifAvailable: true }, (lock) =>
      lock === null ? Promise.resolve(undefined) : send(),
    )
  } finally {
    inFlight.delete(idempotencyKey)
  }
}

/** Stores work and sends it, as `sendWork`. Work that could not be sent for another reason than the network is not kept. */
export async function sendNewWork(work: UnsentWork): Promise<string | undefined> {
  putUnsent(work)
  try {
    return await sendWork(work)
  } catch (error) {
    removeUnsent(work)
    throw error
  }
}

/** Removes work that waits, so that its form shows it as a draft. */
export function editUnsent(work: UnsentWork): void {
  if (!hasNewerDraft(work)) storeDraft(draftKeyOf(work), draftOf(work))
  removeUnsent(work)
}

/**
 * Sends work and returns the submission's id; undefined while it waits for the network or another tab sends it. Throws the
 * server's refusal.
 */
function sendWork(work: UnsentWork): Promise<string | undefined> {
  return exclusively(work, async () => {
    try {
      const { insertedId } = await submit(work)
      if (insertedId === null)
        throw new ApiError(500, 'internal', t`Your work could not be submitted. Please try again.`)
      if (isStored(work)) removeUnsent(work)
      if (!hasNewerDraft(work)) deleteDraft(draftKeyOf(work))
      return insertedId
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0) throw error
      if (isStored(work)) putUnsent({ ...work, isWaiting: true })
      return undefined
    }
  })
}

function submit(work: UnsentWork) {
  const { idempotencyKey, taskId } = work
  if (taskId === undefined) return submitReply(work)
  if (work.item === undefined) {
    const body = { taskVersion: work.taskVersion, ...work.body }
    return call(submitWork, { body }, { idempotencyKey })
  }
  const { number, answers } = work.item
  return call(
    submitItem,
    { params: { id: taskId, number: String(number) }, body: { answers } },
    { idempotencyKey },
  )
}

async function submitReply({ submissionId, reply, idempotencyKey }: UnsentReply) {
  const params = { id: submissionId }
  const attempt = { idempotencyKey }
  if (reply.kind === 'revision') await call(reviseSubmission, { params, body: reply.body }, attempt)
  else if (reply.kind === 'appeal') await call(openAppeal, { params, body: reply.body }, attempt)
  else await call(reviseItem, { params, body: reply.body }, attempt)
  return { insertedId: submissionId }
}

/** Sends the work that an earlier page or an earlier attempt left, and shows the result. */
export async function resumeWork(unsent: readonly UnsentWork[]): Promise<void> {
  for (const work of unsent) {
    if (work.refusal === undefined) await resume(work)
  }
}

async function resume(work: UnsentWork): Promise<void> {
  if (inFlight.has(work.idempotencyKey)) return
  try {
    // Another user may have signed in while this page was open.
    const identity = await getIdentity()
    if (identity?.id !== work.userId) return
    if (!isStored(work)) return
    if ((await sendWork(withEmail(work, identity.email))) === undefined) return
    const isAppeal = work.taskId === undefined && work.reply.kind === 'appeal'
    void toast({ title: isAppeal ? t`Appeal sent` : t`Work sent`, message: work.title })
    refetchWork()
  } catch (error) {
    if (!isRefusal(error) || !isStored(work)) return
    // The server has processed an attempt with another email or from another version of the app.
    if (error.code === 'idempotency_key_reused') {
      removeUnsent(work)
      refetchWork()
    } else refuse(work, error.message)
  }
}

function refetchWork(): void {
  void invalidateEndpoints(queryClient, [
    taskDetails,
    itemsInWork,
    mySubmissions,
    mySubmissionCounts,
    taskListWorker,
    submissionCase,
    itemOfSubmission,
    waiting,
  ])
}

/** Returns the work with the worker's present email, which the server compares. It may have changed since the work was stored. */
function withEmail(work: UnsentWork, worker_email: string): UnsentWork {
  return 'body' in work ? { ...work, body: { ...work.body, worker_email } } : work
}

function refuse(work: UnsentWork, refusal: string): void {
  if (!hasNewerDraft(work)) storeDraft(draftKeyOf(work), draftOf(work))
  putUnsent({ ...work, refusal })
  void toast({ title: t`Not sent`, message: work.title, detail: refusal, tone: 'error' })
  // The worker reads the task again, which may have another text, or the state that the case has now.
  void invalidateEndpoints(queryClient, [taskDetails, submissionCase])
}
