import { APPROVALS_MAX } from '#contract/submissions.ts'
import type { Request } from './drive/wrk.ts'
import { type Limit, type Operation, statement } from './operation.ts'
import type { People } from './people.ts'
import { NOUNS, newTask, pick, TEXT, VERBS } from './texts.ts'
import {
  buyerNumber,
  emailOf,
  freeSlot,
  pendingWork,
  type Shape,
  SUPPLY_REWARD,
  taskId,
  workerNumber,
} from './world/shape.ts'

const CLIENTS = 64
const PAGE = 20
const READS = 2000

/** How many of the supply one measured write may use, through HTTP and through pgbench. */
const PER_SECOND = { http: 3500, pgbench: 7000, mixed: 500, bulk: 20_000 }
export const decisionsFor = (seconds: number) =>
  seconds * (2 * PER_SECOND.http + 2 * PER_SECOND.pgbench + PER_SECOND.mixed + PER_SECOND.bulk)

export function operationsOf(shape: Shape, people: People, seconds: number): Operation[] {
  const many = {
    http: seconds * PER_SECOND.http,
    pgbench: seconds * PER_SECOND.pgbench,
    mixed: seconds * PER_SECOND.mixed,
    bulk: seconds * PER_SECOND.bulk,
  }
  const times = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index))
  const below = (max: number) => Math.floor(Math.random() * max)
  const someTask = () => 1 + Math.floor(shape.tasks * (0.1 + Math.random() * 0.8))
  const buyer = (index: number) => people.buyers[index % shape.callers] as string
  const worker = (index: number) => people.workers[index % shape.callers] as string
  const buyerEmail = (index: number) => emailOf(buyerNumber(shape, index % shape.callers))
  const workerEmail = (index: number) => emailOf(workerNumber(shape, index % shape.callers))

  // What pgbench computes as `shape.ts` does.
  const { began, step, tasks, supplyTasks, callers, admins, buyers } = shape
  const taskVariables = `\\set ms ${began + 1_000_000_000} + :n * ${step}`
  const aTask = `\\set n random(${Math.ceil(tasks * 0.1)}, ${Math.floor(tasks * 0.9)})\n${taskVariables}`
  const aCaller = (first: number) => `\\set k ${first} + random(0, ${callers - 1})`
  const firstBuyer = 1 + admins
  const firstWorker = 1 + admins + buyers
  const user = `bench.id(${began} + :k, :k)`
  const supply = (from: number) =>
    `\\set flat :turn + ${from}\n\\set index :flat % ${supplyTasks}\n\\set slot :flat / ${supplyTasks}\n\\set n ${tasks + 1} + :index\n${taskVariables}\n\\set work :ms + :slot + 1\n\\set k ${firstBuyer} + :index % ${callers}`
  const pending = `bench.id(:work, :n)`

  const list = (): Request => ({
    method: 'GET',
    path: `/api/task-list-worker?limit=${PAGE}`,
    headers: { 'accept-encoding': 'gzip, br' },
  })
  const deep = (): Request => ({
    method: 'GET',
    path: `/api/all-task?limit=${PAGE}&cursor=${Buffer.from(JSON.stringify([taskId(shape, someTask())])).toString('base64url')}`,
  })
  const search = (): Request => ({
    method: 'GET',
    path: `/api/all-task?limit=${PAGE}&q=${pick(VERBS)}+${pick(NOUNS)}`,
  })
  const details = (index: number): Request => ({
    method: 'GET',
    path: `/api/task-datails/${taskId(shape, someTask())}`,
    token: worker(index),
  })
  const review = (index: number): Request => ({
    method: 'GET',
    path: `/api/task-to-review?email=${buyerEmail(index)}&role=Buyer&status=pending&limit=${PAGE}`,
    token: buyer(index),
  })
  const mine = (index: number): Request => ({
    method: 'GET',
    path: `/api/my-submissoin/${workerEmail(index)}?page=0`,
    token: worker(index),
  })
  const notices = (index: number): Request => ({
    method: 'GET',
    path: `/api/notifications/${workerEmail(index)}?limit=${PAGE}`,
    token: worker(index),
  })
  const buyerStats = (index: number): Request => ({
    method: 'GET',
    path: '/api/buyer-stats',
    token: buyer(index),
  })
  const workerStats = (index: number): Request => ({
    method: 'GET',
    path: '/api/worker-stats',
    token: worker(index),
  })
  const home = (): Request => ({ method: 'GET', path: '/', headers: { 'accept-encoding': 'br' } })
  const addTask = (index: number): Request => ({
    method: 'POST',
    path: '/api/add-task',
    token: buyer(index),
    body: newTask(),
  })
  const submit = (flat: number): Request => {
    const slot = freeSlot(shape, flat)
    return {
      method: 'POST',
      path: '/api/submiteted-task',
      token: worker(slot.worker),
      body: { taskId: slot.task, submissoin_data: TEXT, payable_amount: SUPPLY_REWARD },
    }
  }
  const approve = (flat: number): Request => {
    const work = pendingWork(shape, flat)
    return {
      method: 'PATCH',
      path: `/api/update-submission-status/${work.id}`,
      token: buyer(work.buyer),
      body: { status: 'approved' },
    }
  }
  const reject = (flat: number): Request => {
    const work = pendingWork(shape, flat)
    return {
      method: 'DELETE',
      path: `/api/submission-reject/${work.id}`,
      token: buyer(work.buyer),
      body: { reason: 'The third line is missing.' },
    }
  }
  /** How many submissions one request approves: the server's limit, or all of a buyer in a short run. */
  const bulk = Math.min(APPROVALS_MAX, Math.floor(many.bulk / callers))
  const approveMany = (from: number): Request[] => {
    const work = times(many.bulk, (index) => pendingWork(shape, from + index))
    return [...Map.groupBy(work, ({ buyer }) => buyer)].flatMap(([buyerIndex, own]) =>
      times(Math.floor(own.length / bulk), (index) => ({
        method: 'POST',
        path: '/api/submissions/approvals',
        token: buyer(buyerIndex),
        body: { ids: own.slice(index * bulk, (index + 1) * bulk).map(({ id }) => id) },
      })),
    )
  }
  const withdraw = (index: number): Request => ({
    method: 'POST',
    path: `/api/withdraw/${workerEmail(index)}`,
    token: worker(index),
    body: {
      withdrawalCoin: 200,
      payment_system: 'Bkash',
      accountNumber: '01712345678',
      withdrawal_amount: 10,
    },
  })

  const read = (
    name: string,
    request: (index: number) => Request,
    limit: Limit,
    goal?: number,
  ): Operation => ({
    name,
    requests: () => times(READS, request),
    connections: CLIENTS,
    limit,
    ...(goal !== undefined && { goal }),
  })
  const write = (
    name: string,
    request: (index: number) => Request,
    script: string,
    goal: number,
  ): Operation => ({
    name,
    requests: () => times(many.http, request),
    connections: CLIENTS,
    once: true,
    limit: { pgbench: script },
    goal,
  })

  // Each write has its own part of the supply: HTTP's, then pgbench's.
  const rejects = many.http + many.pgbench
  const mixedFrom = 2 * rejects
  const bulkFrom = mixedFrom + many.mixed
  const typed = `array[split_part(bench.words(:a), ' ', 1), split_part(bench.words(:b * 500), ' ', 3)]`
  const words = statement('search_terms_expand', typed).replace(/;$/, '')
  const listStatement = (condition: string, ...values: string[]) =>
    statement(`tasks_all_by_newest_${condition}_packed`, ...values)

  return [
    read('home page (static)', home, 'empty route', 0.5),
    read('task list, first page', list, 'empty route', 0.5),
    read(
      'task list, deep page',
      deep,
      { pgbench: `${aTask}\n${listStatement('next', String(PAGE + 1), 'bench.id(:ms, :n)')}` },
      0.5,
    ),
    read(
      'task list, search',
      search,
      {
        pgbench: `\\set a random(0, 19)\n\\set b random(0, 39)\n${words} \\gset\n${listStatement('search', String(PAGE + 1), ':found')}`,
      },
      0.5,
    ),
    read('task details', details, {
      pgbench: `${aTask}\n${aCaller(firstWorker)}\n${statement('task_by_id', 'bench.id(:ms, :n)', user)}`,
    }),
    read('review list of a buyer', review, {
      pgbench: `${aCaller(firstBuyer)}\n${statement('submissions_oldest_of_buyer_packed', user, `'{pending}'`, 'null', String(PAGE + 1))}`,
    }),
    read("a worker's submissions", mine, {
      pgbench: `${aCaller(firstWorker)}\n${statement('submissions_of_worker_in_states_packed', user, `'{pending,revision_requested,approved}'`, 'null', '0', '6')}`,
    }),
    read('notifications', notices, {
      pgbench: `${aCaller(firstWorker)}\n${statement('notifications_of_packed', `'user' || :k::bigint || '@example.com'`, 'null', String(PAGE + 1))}`,
    }),
    read('stats of a buyer', buyerStats, {
      pgbench: `${aCaller(firstBuyer)}\n${statement('stats_buyer', user)}`,
    }),
    read('stats of a worker', workerStats, {
      pgbench: `${aCaller(firstWorker)}\n${statement('stats_worker', user)}`,
    }),
    read(
      'stats of an admin',
      () => ({ method: 'GET', path: '/api/admin-stats', token: people.admin }),
      'empty route',
    ),
    write('approve', approve, `${supply(many.http)}\n${statement('approve_submission', pending, user)}`, 0.5),
    {
      name: `approve, ${bulk} at a time`,
      requests: () => approveMany(bulkFrom),
      connections: 4,
      once: true,
      rows: bulk,
      limit: 'TPC-B',
    },
    write(
      'reject',
      (index) => reject(rejects + index),
      `${supply(rejects + many.http)}\n${statement('reject_submission', pending, user, `'The third line is missing.'`, 'null', `''`, `'604800 seconds'`, `'432000 seconds'`, '50', '100')}`,
      0.5,
    ),
    write(
      'submit',
      submit,
      `\\set flat :turn + ${many.http}\n\\set index :flat % ${supplyTasks}\n\\set turns :flat / ${supplyTasks}\n\\set n ${tasks + 1} + :index\n${taskVariables}\n\\set work :ms + 100000 + :turns\n\\set k ${firstWorker} + (:turns * 7 + :index) % ${callers}\n${statement('submit_work', `bench.id(:work, :n)`, 'bench.id(:ms, :n)', user, `'${TEXT}'`, String(SUPPLY_REWARD), 'null', 'null', `'604800 seconds'`)}`,
      0.5,
    ),
    write(
      'add-task',
      addTask,
      `\\set at ${Date.now()} + :turn\n${aCaller(firstBuyer)}\n${statement('add_task', `bench.id(:at, :turn)`, user, `'${newTask().task_title}'`, `'${newTask().task_detail}'`, `'${newTask().submission_info}'`, `''`, '2', '3', `'${newTask().completion_date}'`, `'Asia/Dhaka'`, '0', 'null', '60', `'other'`, 'null', 'null')}`,
      0.4,
    ),
    write(
      'withdraw',
      withdraw,
      `\\set at ${Date.now()} + :turn\n${aCaller(firstWorker)}\n${statement('request_withdrawal', `bench.id(:at, :turn)`, user, '200', '1000', '200', `'Bkash'`, `'01712345678'`, `'Asia/Dhaka'`, '0', 'null')}`,
      0.4,
    ),
    {
      name: 'sign-in',
      requests: () =>
        times(READS, (index) => ({
          method: 'POST',
          path: '/api/auth/sign-in',
          body: { email: buyerEmail(index), password: people.password },
        })),
      connections: 16,
      limit: 'password hash',
    },
    {
      name: 'a mixed day, 200 people',
      connections: 200,
      once: true,
      limit: 'empty route',
      requests: () => {
        let submits = many.http + many.pgbench
        let decided = mixedFrom
        const deck: [weight: number, make: (index: number) => Request][] = [
          [15, list],
          [10, deep],
          [5, search],
          [20, details],
          [15, notices],
          [5, review],
          [5, mine],
          [5, workerStats],
          [5, buyerStats],
          [5, home],
          [5, () => submit(submits++)],
          [3, () => approve(decided++)],
          [1, () => reject(decided++)],
          [1, addTask],
        ]
        const cards = deck.flatMap(([weight, make]) => Array.from({ length: weight }, () => make))
        return times(seconds * 5000, (index) => (cards[below(cards.length)] as (typeof cards)[number])(index))
      },
    },
  ]
}
