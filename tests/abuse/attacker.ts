import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { uploadHostilePictures } from './hostile-pictures.ts'
import { holdHalfRequests } from './slow-clients.ts'

// A process of its own that attacks the server: its work does not delay the bystander's measurements. It receives one
// message, an order, and replies with the responses it got, by status.

export type Order = {
  port: number
  attack: keyof typeof ATTACKS | keyof typeof CAMPAIGNS
  requests: number
  token: string
  taskId: string
}
export type Statuses = Record<string, number>
type Attempt = { method: string; path: string; headers?: Record<string, string>; body?: unknown }

const CONNECTIONS = 32

const aNetwork = () => [10, randomInt(256), randomInt(256), randomInt(256)].join('.')
const text = (bytes: number) => randomBytes(bytes / 2).toString('hex')

const ATTACKS = {
  /** Every request has another cache key, if unknown parameters were part of it. */
  'cache keys': (): Attempt => ({ method: 'GET', path: `/api/task-list-worker?q=zzq&x=${text(14_000)}` }),
  /** From a network of its own each time, so that no limit stops it. */
  'keyed writes': (): Attempt => ({
    method: 'POST',
    path: '/api/contact',
    headers: { 'idempotency-key': randomUUID(), 'x-forwarded-for': aNetwork() },
    body: { name: 'Abuse', email: 'abuse@example.com', subject: 'Abuse', message: text(200) },
  }),
  /** One user edits one task with new words each time. */
  'edits with new words': ({ token, taskId }: Order): Attempt => ({
    method: 'PUT',
    path: `/api/update-task/${taskId}`,
    headers: { authorization: `Bearer ${token}` },
    body: {
      task_title: 'Abuse',
      task_detail: Array.from({ length: 2000 }, () => text(8)).join(' '),
      submission_info: 'Abuse',
    },
  }),
}

/** Attacks that are more than one request after the other. `requests` is the number of connections or uploads. */
const CAMPAIGNS = {
  'half requests': ({ port, requests }: Order) => holdHalfRequests(port, requests),
  'hostile pictures': (order: Order) => uploadHostilePictures(order, order.requests),
}

async function attack(order: Order): Promise<void> {
  const { attack: name } = order
  process.send?.(
    name in CAMPAIGNS ? await CAMPAIGNS[name as keyof typeof CAMPAIGNS](order) : await flood(order),
  )
  process.disconnect()
}

async function flood(order: Order): Promise<Statuses> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const statuses: Statuses = {}
  let left = order.requests
  const sender = async () => {
    while (left-- > 0) {
      const status = await send(agent, order.port, ATTACKS[order.attack as keyof typeof ATTACKS](order))
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sender))
  agent.destroy()
  return statuses
}

process.once('message', (order: Order) => void attack(order))

/** Returns the status of the response, or the error's code. */
function send(
  agent: Agent,
  port: number,
  { method, path, headers, body }: Attempt,
): Promise<number | string> {
  return new Promise((resolve) => {
    const outgoing = request({
      agent,
      port,
      method,
      path,
      host: '127.0.0.1',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    })
    outgoing.on('response', (response) => {
      response.resume()
      response.once('close', () => resolve(response.statusCode ?? 0))
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
