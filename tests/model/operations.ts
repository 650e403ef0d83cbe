import fc from 'fast-check'
import type { Named, Operation } from './operation.ts'

export const BUYERS = 3
export const WORKERS = 5
export const REVIEWERS = 2
export const TASKS = 12

const number = (max: number) => fc.nat({ max: max - 1 })
const buyer = number(BUYERS)
const worker = number(WORKERS).map((index) => index + BUYERS)
const anybody = number(BUYERS + WORKERS + REVIEWERS)
const mayReview = number(WORKERS + REVIEWERS).map((index) => index + BUYERS)
const mostlyTrue = fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0)
const mostlyFalse = mostlyTrue.map((value) => !value)
const task = number(TASKS)
const work = number(30)

type Fields<Name extends Operation['do']> = {
  [Field in Exclude<keyof Named<Name>, 'do' | 'from' | 'reserved' | 'works'>]: fc.Arbitrary<
    Named<Name>[Field]
  >
}

function weighted<Name extends Operation['do']>(name: Name, weight: number, fields: Fields<Name>) {
  const arbitrary = fc.record({ do: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Operation>
  return { weight, arbitrary }
}

const onTask = { who: anybody, task, own: mostlyTrue }
const onWork = { who: anybody, work, own: mostlyTrue }
const inTime = { ...onWork, late: mostlyFalse }

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  weighted('post', 6, {
    who: buyer,
    slots: fc.integer({ min: 1, max: 4 }),
    reward: fc.integer({ min: 1, max: 60 }),
  }),
  weighted('submit', 24, { who: worker, task }),
  weighted('reserve', 8, { who: worker, task }),
  weighted('return', 2, { who: worker, task }),
  weighted('lapse', 3, { who: worker, task }),
  weighted('delete-task', 1, onTask),
  weighted('top-up', 2, { ...onTask, slots: fc.integer({ min: 1, max: 3 }) }),
  weighted('close', 1, onTask),
  weighted('reopen', 3, onTask),
  weighted('expire', 1, { task }),
  weighted('approve', 5, onWork),
  weighted('approve-all', 3, onTask),
  weighted('reject', 16, { ...inTime, reason: fc.constantFrom('Too short', 'Not the photos') }),
  weighted('request-revision', 4, inTime),
  weighted('revise', 3, onWork),
  weighted('accept', 2, onWork),
  weighted('appeal', 12, onWork),
  weighted('defend', 8, inTime),
  weighted('concede', 2, onWork),
  weighted('decide', 6, { ...onWork, decision: fc.constantFrom('upheld', 'overturned') }),
  weighted('reopen-slot', 4, onWork),
  weighted('reverse', 3, inTime),
  weighted('bonus', 2, { ...onWork, coins: fc.integer({ min: 1, max: 100 }) }),
  weighted('assign', 3, { work, own: mostlyTrue }),
  weighted('deadline', 8, { work, own: mostlyTrue }),
  weighted('withdraw', 3, { who: anybody, coins: fc.integer({ min: 150, max: 400 }) }),
  weighted('decide-withdrawal', 3, { withdrawal: number(6), approve: fc.boolean() }),
  weighted('delete-user', 1, { who: anybody }),
  weighted('set-reviewer', 2, { who: mayReview, value: fc.boolean() }),
  weighted('buy', 3, { who: buyer, coins: fc.integer({ min: 1, max: 500 }) }),
)

/**
 * Operations that succeed together need an order in which each could; the sums do not depend on it. What takes a slot or
 * holds coins is tried before what closes and deletes, a user's deletion last. Work takes its longest way first.
 */
export const ORDER: readonly Operation['do'][] = [
  'buy',
  'set-reviewer',
  'post',
  'reopen',
  'top-up',
  'reserve',
  'return',
  'lapse',
  'submit',
  'request-revision',
  'revise',
  'reject',
  'reopen-slot',
  'appeal',
  'defend',
  'assign',
  'deadline',
  'decide',
  'approve',
  'approve-all',
  'accept',
  'concede',
  'reverse',
  'bonus',
  'withdraw',
  'decide-withdrawal',
  'close',
  'expire',
  'delete-task',
  'delete-user',
]

/** What users can come upon besides `done`. */
export const EXPECTED_REFUSALS: ReadonlySet<string> = new Set([
  'again',
  'already_decided',
  'already_submitted',
  'deadline_passed',
  'insufficient_coins',
  'invalid_fields',
  'not_yours',
  'reservation_lapsed',
  'reservation_limit',
  'role_not_allowed',
  'state_conflict',
  'submission_not_found',
  'task_closed',
  'task_filled',
  'task_not_found',
  'user_not_found',
  'withdrawal_not_found',
])
