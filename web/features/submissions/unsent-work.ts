import { useSyncExternalStore } from 'react'
import type { Answers } from '#contract/answer-form.ts'
import type { openAppeal } from '#contract/appeals.ts'
import type { reviseItem } from '#contract/items.ts'
import type { reviseSubmission } from '#contract/revisions.ts'
import type { submitWork } from '#contract/submissions.ts'
import type { Input } from '#web/lib/api.ts'
import { deleteStored, readStored, store, storedKeys } from '#web/lib/browser-storage.ts'

/** What the work is about: a task, an item of a batch's task, or a submission that is revised or appealed. */
type WorkKey = { userId: string; item?: { number: number } | undefined } & (
  | { taskId: string; submissionId?: undefined }
  | { taskId?: undefined; submissionId: string }
)

/** Work that the server has not confirmed (docs/decisions/0075-unsent-work.md). */
export type UnsentWork = UnsentText | UnsentItem | UnsentReply
export type UnsentText = Unsent & {
  taskId: string
  submissionId?: undefined
  item?: undefined
  /** Sent as it is, since the key allows no other body. */
  body: Input<typeof submitWork>['body']
  /** Where an earlier version stored the version of the task, and compared it before it sent the work. */
  taskVersion?: number
}
export type UnsentItem = Unsent & {
  taskId: string
  submissionId?: undefined
  /** `text` is the text form of the answers, which is shown when the server refuses them. */
  item: { number: number; answers: Answers; text: string }
}
/** Revised work or an appeal. */
export type UnsentReply = Unsent & {
  taskId?: undefined
  submissionId: string
  item?: undefined
  reply: CaseReply
  /** The text form of the reply, which is shown while it waits and when the server refuses it. */
  text: string
}
export type CaseReply =
  | { kind: 'revision'; body: Input<typeof reviseSubmission>['body'] }
  | { kind: 'revised item'; body: Input<typeof reviseItem>['body'] }
  | { kind: 'appeal'; body: Input<typeof openAppeal>['body'] }
type Unsent = {
  userId: string
  title: string
  /** Made when the work is stored and sent with every attempt, so that it is submitted once. */
  idempotencyKey: string
  /** A first attempt got no response, or its page was closed. Until then the form says that it is being sent. */
  isWaiting: boolean
  /** Why the server refused it. It is not sent again; the text is a draft. */
  refusal?: string
}

const prefixOf = (userId: string) => `unsent ${userId} `
const keyOf = ({ userId, taskId, submissionId, item }: WorkKey) =>
  prefixOf(userId) + (taskId ?? submissionId) + (item ? ` ${item.number}` : '')
const subscribers = new Set<() => void>()
/** The idempotency keys of what this page has stored. Other work was left by an earlier page, or another tab sends it. */
const storedHere = new Set<string>()

function changed(): void {
  for (const notify of subscribers) notify()
}

export function putUnsent(work: UnsentWork): void {
  storedHere.add(work.idempotencyKey)
  store(keyOf(work), JSON.stringify(work))
  changed()
}

export function removeUnsent(work: WorkKey): void {
  deleteStored(keyOf(work))
  changed()
}

export function readUnsent(work: WorkKey): UnsentWork | null {
  return parse(readStored(keyOf(work)), work.userId)
}

/** Returns the unsent work of a user in this browser, kept up to date with other tabs. */
export function useUnsentWork(userId: string): UnsentWork[] {
  const texts = useSyncExternalStore(subscribe, () => storedTexts(userId).join('\n'))
  return texts === '' ? [] : texts.split('\n').flatMap((text) => parse(text, userId) ?? [])
}

/** Returns the revised work or the appeal of a submission that waits for the network. */
export function useWaitingReply(userId: string, submissionId: string): UnsentReply | undefined {
  return useUnsentWork(userId).find(
    (work): work is UnsentReply =>
      work.submissionId === submissionId && work.isWaiting && work.refusal === undefined,
  )
}

/** JSON has no line breaks of its own, so that the texts can be joined by them. */
function storedTexts(userId: string): string[] {
  return storedKeys(prefixOf(userId)).map((key) => readStored(key) ?? 'null')
}

/** An earlier version stored the user's email in the work, and not their id. */
function parse(text: string | null, userId: string): UnsentWork | null {
  const work = JSON.parse(text ?? 'null') as UnsentWork | null
  // The form of this page would submit it under another key.
  return work && { ...work, userId, isWaiting: work.isWaiting || !storedHere.has(work.idempotencyKey) }
}

function subscribe(notify: () => void): () => void {
  subscribers.add(notify)
  addEventListener('storage', notify)
  return () => {
    subscribers.delete(notify)
    removeEventListener('storage', notify)
  }
}
