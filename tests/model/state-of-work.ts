import type { Decider, SubmissionState } from '#contract/submission-states.ts'
import type { ModelTask, ModelWork, State, WorkOperation } from './operation.ts'

const IN_DISPUTE: readonly SubmissionState[] = ['rejection_open', 'appealed', 'in_review']
const NOT_FINAL: readonly SubmissionState[] = ['pending', 'revision_requested', ...IN_DISPUTE]

/** The states in which an operation changes something. */
export const STATES_FOR: Record<Exclude<WorkOperation['do'], 'submit'>, readonly SubmissionState[]> = {
  approve: ['pending', 'revision_requested'],
  reject: ['pending'],
  'request-revision': ['pending'],
  revise: ['revision_requested'],
  accept: ['rejection_open'],
  appeal: ['rejection_open'],
  defend: ['appealed'],
  concede: IN_DISPUTE,
  decide: ['in_review'],
  assign: ['in_review'],
  'reopen-slot': IN_DISPUTE,
  reverse: ['rejected'],
  bonus: ['approved'],
  deadline: NOT_FINAL,
}

export const isFinal = ({ state }: ModelWork): boolean => !NOT_FINAL.includes(state)

/** Adds work to what this operation decides, unless it was decided before. */
export function recordDecision({ work: all, decisions }: State, work: ModelWork): void {
  const number = all.indexOf(work)
  if (!decisions.flat().includes(number)) decisions.at(-1)?.push(number)
}

/** Pays the worker, who keeps the slot. */
export function approve(state: State, work: ModelWork, decidedBy: Decider): void {
  recordDecision(state, work)
  work.state = 'approved'
  work.decidedBy = decidedBy
  userOf(state, work.worker).coins += taskOf(state, work.task).reward
}

/** Frees the slot; where the buyer paid for another one meanwhile, this one is withdrawn and its coins come back. */
export function finalizeRejection(state: State, work: ModelWork, decidedBy: Decider): void {
  recordDecision(state, work)
  work.state = 'rejected'
  work.decidedBy = decidedBy
  const task = taskOf(state, work.task)
  if (!work.slotReopened) {
    freeSlot(state, task)
    return
  }
  task.slots--
  userOf(state, task.buyer).coins += task.reward
}

export function freeSlot(state: State, task: ModelTask): void {
  if (task.closed) userOf(state, task.buyer).coins += task.reward
  else task.left++
}

export function userOf({ people }: State, number: number) {
  const user = people[number]
  if (user === undefined) throw new Error(`There is no user ${number}`)
  return user
}

export function taskOf({ tasks }: State, number: number) {
  const task = tasks[number]
  if (task === undefined) throw new Error(`There is no task ${number}`)
  return task
}
