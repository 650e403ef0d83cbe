import type { Role } from '#contract/endpoint.ts'
import type { Decider, SubmissionState } from '#contract/submission-states.ts'

/** `done`, `again` when nothing changed, or the code of a refusal. */
export type Outcome = 'done' | 'again' | (string & {})

/** Things are named by their number in the order they were made. */
export type Operation = TaskOperation | WorkOperation | UserOperation

/** `works` are the numbers of those that an approval of all work of a task approved. */
export type TaskOperation =
  | { do: 'post'; who: number; slots: number; reward: number }
  | { do: 'reserve'; who: number; task: number }
  | { do: 'return'; who: number; task: number }
  | { do: 'lapse'; who: number; task: number }
  | { do: 'delete-task'; who: number; task: number; own: boolean }
  | { do: 'top-up'; who: number; task: number; own: boolean; slots: number }
  | { do: 'close'; who: number; task: number; own: boolean }
  | { do: 'reopen'; who: number; task: number; own: boolean }
  | { do: 'expire'; task: number }
  | { do: 'approve-all'; who: number; task: number; own: boolean; works?: number[] }

/**
 * `own`: the one whose work it is does it, in a state that allows it. Otherwise it is `who`, in any state. `reserved` and
 * `from` are what it found: whether the worker had reserved the slot, and the state whose deadline passed. `late` is after every
 * deadline that work can have, before a job notices it.
 */
export type WorkOperation =
  | { do: 'submit'; who: number; task: number; reserved?: boolean }
  | { do: 'approve'; who: number; work: number; own: boolean }
  | { do: 'reject'; who: number; work: number; own: boolean; late: boolean; reason: string }
  | { do: 'request-revision'; who: number; work: number; own: boolean; late: boolean }
  | { do: 'revise'; who: number; work: number; own: boolean }
  | { do: 'accept'; who: number; work: number; own: boolean }
  | { do: 'appeal'; who: number; work: number; own: boolean }
  | { do: 'defend'; who: number; work: number; own: boolean; late: boolean }
  | { do: 'concede'; who: number; work: number; own: boolean }
  | { do: 'decide'; who: number; work: number; own: boolean; decision: 'upheld' | 'overturned' }
  | { do: 'reopen-slot'; who: number; work: number; own: boolean }
  | { do: 'reverse'; who: number; work: number; own: boolean; late: boolean }
  | { do: 'bonus'; who: number; work: number; own: boolean; coins: number }
  | { do: 'assign'; work: number; own: boolean }
  | { do: 'deadline'; work: number; own: boolean; from?: SubmissionState }

export type UserOperation =
  | { do: 'withdraw'; who: number; coins: number }
  | { do: 'decide-withdrawal'; withdrawal: number; approve: boolean }
  | { do: 'delete-user'; who: number }
  | { do: 'set-reviewer'; who: number; value: boolean }
  | { do: 'buy'; who: number; coins: number }

export type Named<Name extends Operation['do']> = Extract<Operation, { do: Name }>

export type ModelUser = { role: Role; coins: number; deleted: boolean; reviewer: boolean }
export type ModelTask = {
  buyer: number
  slots: number
  left: number
  reward: number
  closed: boolean
  deleted: boolean
}
export type ModelReservation = {
  task: number
  worker: number
  outcome: 'submitted' | 'returned' | 'lapsed' | 'cancelled' | null
}
export type ModelReview = {
  unconfirmed: boolean
  round: number
  reviewer: number | null
  /** Reviewers who did not decide in time. */
  passedOver: number[]
  decision: 'upheld' | 'overturned' | null
}
export type ModelWork = {
  task: number
  worker: number
  state: SubmissionState
  decidedBy: Decider | null
  /** Whether it was ever rejected, also where the rejection did not last. */
  rejected: boolean
  reason: string
  revisionRequested: boolean
  slotReopened: boolean
  reviews: ModelReview[]
}
export type ModelWithdrawal = {
  worker: number
  coins: number
  status: 'pending' | 'approved' | 'declined' | 'cancelled'
}

/** Everything that the model knows. */
export type State = {
  people: ModelUser[]
  tasks: ModelTask[]
  reservations: ModelReservation[]
  work: ModelWork[]
  /** Work that was decided, in the order of its first decision, by its number; a list for each transaction. */
  decisions: number[][]
  /** Appeals in their order, by the number of the work. */
  appeals: number[]
  withdrawals: ModelWithdrawal[]
}
