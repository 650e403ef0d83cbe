import type { ApiEventType } from '#contract/api-events.ts'
import type { SubmissionState } from '#contract/submission-states.ts'
import { relayAll } from '#tests/support/api-events.ts'
import type { Operation, State } from './operation.ts'
import type { World } from './world.ts'

/** An event of a user about a thing, each by its number: `2 submission.decided work 7`. */
type ModelEvent = `${number} ${ApiEventType} ${'work' | 'task' | 'withdrawal'} ${number}`

const APPEAL_STATES: readonly SubmissionState[] = ['appealed', 'in_review']

/**
 * Returns the events that an operation demands (docs/specification/webhooks.md#events), those of one thing in their order.
 * Users who were deleted before have none.
 */
export function eventsOf(operation: Operation, before: State, after: State): ModelEvent[] {
  const events: ModelEvent[] = []
  const add = (
    users: number[],
    type: ApiEventType,
    thing: 'work' | 'task' | 'withdrawal',
    number: number,
  ) => {
    for (const user of users)
      if (before.people[user]?.deleted === false) events.push(`${user} ${type} ${thing} ${number}`)
  }

  for (const [number, { task, worker, state, decidedBy }] of after.work.entries()) {
    const earlier = before.work[number]?.state
    if (earlier === state) continue
    const buyer = after.tasks[task]?.buyer ?? -1
    const both = [buyer, worker]
    const isFinal = state === 'approved' || state === 'rejected'
    if (earlier === undefined) add([buyer], 'submission.received', 'work', number)
    else if (state === 'pending') {
      if (operation.do === 'revise') add([buyer], 'submission.received', 'work', number)
    } else if (state === 'revision_requested') add(both, 'submission.revision_requested', 'work', number)
    else if (state === 'appealed') add(both, 'appeal.opened', 'work', number)
    else if (isFinal || earlier !== 'appealed') add(both, 'submission.decided', 'work', number)
    if (decidedBy === 'time') add(both, 'submission.auto_approved', 'work', number)
    const isOfAppeal =
      earlier !== undefined && APPEAL_STATES.includes(earlier) && after.appeals.includes(number)
    if (isFinal && isOfAppeal) add(both, 'appeal.decided', 'work', number)
  }
  for (const [number, { buyer, closed }] of after.tasks.entries())
    if (closed && before.tasks[number]?.closed === false) add([buyer], 'task.closed', 'task', number)
  for (const [number, { worker, status }] of after.withdrawals.entries())
    if (status === 'approved' && before.withdrawals[number]?.status === 'pending')
      add([worker], 'payout.confirmed', 'withdrawal', number)
  return events
}

/** Returns the events that are stored for the users of a world, in the order of their commits. */
export async function storedEvents(world: World): Promise<string[]> {
  await relayAll(world.database)
  const { rows } = await world.reads.query<{ user: string; type: string; object: string }>(
    'select user_id as user, type, object_id as object from api_events where user_id = any ($1) order by seq',
    [world.people.map(({ id }) => id)],
  )
  const { work, tasks, withdrawals } = world
  const things = { work, task: tasks, withdrawal: withdrawals }
  return rows.map(({ user, type, object }) => {
    const [thing = 'nothing', list = []] =
      Object.entries(things).find(([, ids]) => ids.includes(object)) ?? []
    return `${world.numberOf(user)} ${type} ${thing} ${list.indexOf(object)}`
  })
}

/** Returns events by their thing and user, those of one in their order. */
export function byThing(events: readonly string[]): string[] {
  const key = (event: string) => event.replace(/ \S+ /, ' ')
  return events.toSorted((one, other) => (key(one) === key(other) ? 0 : key(one) < key(other) ? -1 : 1))
}
