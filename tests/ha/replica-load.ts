import { LAG_MAX_MS } from '#server/database/replica.ts'
import { taskBody } from '#tests/support/factories.ts'
import type { HttpUser } from '#tests/support/http-client.ts'

const READERS = 6
/** Measured from the response to a write to the request of a read. */
const STALENESS_MAX_MS = LAG_MAX_MS + 250
const REMEMBERED = 200

type Task = { id: string; title: string; at: number }

/**
 * Buyers who post and edit tasks through one instance and read them through another one at once, and visitors who read what
 * others posted. Nobody retries: a response but 2xx fails, and so does a read that misses its own user's write, or what others
 * wrote before the lag bound.
 */
export function startReplicaLoad(urls: readonly string[], buyers: readonly HttpUser[]) {
  const failures: string[] = []
  const stale: string[] = []
  const posted: Task[] = []
  const totals = { requests: 0, ownReads: 0, readsOfOthers: 0 }
  let over = false
  const anyUrl = () => urls[Math.floor(Math.random() * urls.length)] as string

  async function send(
    method: string,
    path: string,
    { authorization, body }: { authorization?: string; body?: object } = {},
  ): Promise<unknown> {
    totals.requests++
    try {
      const response = await fetch(`${anyUrl()}/api${path}`, {
        method,
        headers: {
          ...(authorization && { authorization }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) failures.push(`${method} ${path}: ${response.status} ${text}`)
      else return JSON.parse(text)
    } catch (error) {
      failures.push(`${method} ${path}: ${(error as Error).message}`)
    }
    return undefined
  }

  /** A word of letters that no other task has, and that begins no other word. */
  const wordOf = (index: number, round: number) =>
    `w${[...`${index}-${round}`].map((char) => (char === '-' ? 'x' : 'abcdefghij'[Number(char)])).join('')}z`

  async function write(buyer: HttpUser, index: number): Promise<void> {
    for (let round = 0; !over; round++) {
      const word = wordOf(index, round)
      const authorization = await buyer.authorization()
      const body = taskBody({ slots: 1, reward: 1, title: `${word} first` })
      const created = (await send('POST', '/add-task', { authorization, body })) as
        | { insertedId: string }
        | undefined
      if (created === undefined) continue
      const task = { id: created.insertedId, title: `${word} first`, at: performance.now() }
      await checkOwn(task, word, authorization)
      task.title = `${word} second`
      const edit = { ...body, task_title: task.title }
      if ((await send('PUT', `/update-task/${task.id}`, { authorization, body: edit })) === undefined)
        continue
      task.at = performance.now()
      await checkOwn(task, word, authorization)
      posted.push(task)
      if (posted.length > REMEMBERED) posted.shift()
    }
  }

  async function checkOwn({ id, title }: Task, word: string, authorization: string): Promise<void> {
    totals.ownReads += 2
    const [details, list] = (await Promise.all([
      send('GET', `/task-datails/${id}`, { authorization }),
      send('GET', `/all-task?q=${word}`, { authorization }),
    ])) as [{ task_title: string } | undefined, { task_title: string }[] | undefined]
    for (const seen of [
      details?.task_title,
      list === undefined ? undefined : (list[0]?.task_title ?? 'nothing'),
    ])
      if (seen !== undefined && seen !== title) stale.push(`A buyer reads ${seen} after writing ${title}`)
  }

  async function visit(): Promise<void> {
    while (!over) {
      await send('GET', `/all-task?limit=20&pay_max=${Math.ceil(Math.random() * 1_000_000)}`)
      await send('GET', '/top-workers?limit=5')
      const known = posted.filter(({ at }) => performance.now() - at > STALENESS_MAX_MS)
      const task = known[Math.floor(Math.random() * known.length)]
      if (task === undefined) continue
      totals.readsOfOthers++
      const [word = ''] = task.title.split(' ')
      const list = (await send('GET', `/all-task?q=${word}&limit=${1 + Math.floor(Math.random() * 50)}`)) as
        | { task_title: string }[]
        | undefined
      if (list !== undefined && list[0]?.task_title !== task.title)
        stale.push(
          `A visitor reads ${list[0]?.task_title ?? 'nothing'}, more than a second after ${task.title}`,
        )
    }
  }

  const running = [...buyers.map(write), ...Array.from({ length: READERS }, visit)]
  return {
    failures,
    stale,
    totals,
    async stop() {
      over = true
      await Promise.all(running)
    },
  }
}
