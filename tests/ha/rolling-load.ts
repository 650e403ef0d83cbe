import { connect, type Socket } from 'node:net'
import { taskBody } from '#tests/support/factories.ts'
import { type HttpUser, httpSignUp } from '#tests/support/http-client.ts'
import { openEventStream } from '#tests/support/live.ts'

const STREAMS = 10

/**
 * Users behind a proxy who read, write, follow their event streams and reconnect, and clients that send half a request.
 * Nobody retries: every response but 2xx is a failure.
 */
export async function startLoad(url: string, buyers: readonly HttpUser[]) {
  const failures: string[] = []
  const acknowledged: string[] = []
  let requests = 0
  let streamsOpened = 0
  let over = false

  async function counted(
    what: string,
    request: () => Promise<{ status: number; body?: unknown }>,
  ): Promise<void> {
    requests++
    try {
      const { status, body } = await request()
      if (status < 200 || status > 299) failures.push(`${what}: ${status} ${JSON.stringify(body) ?? ''}`)
    } catch (error) {
      const { message, cause } = error as Error
      failures.push(`${what}: ${message} ${cause instanceof Error ? cause.message : ''}`)
    }
  }

  async function use(buyer: HttpUser, index: number): Promise<void> {
    for (let round = 0; !over; round++) {
      await counted('public list', async () => {
        const response = await fetch(`${url}/api/all-task?page=${round % 3}`)
        await response.text()
        return response
      })
      await counted('own tasks', () => buyer.call('GET', `/my-task/${buyer.email}`))
      await counted('new task', async () => {
        const title = `Task ${index} ${round}`
        const response = await buyer.call('POST', '/add-task', taskBody({ slots: 1, reward: 1, title }))
        if (response.status === 200) acknowledged.push((response.body as { insertedId: string }).insertedId)
        return response
      })
    }
  }

  async function follow(buyer: HttpUser): Promise<void> {
    const authorization = await buyer.authorization()
    while (!over) {
      const page = await openEventStream(url, authorization)
      streamsOpened++
      if (page.status !== 200) failures.push(`event stream: ${page.status}`)
      streams.add(page)
      await page.ended
      streams.delete(page)
    }
  }
  const streams = new Set<Awaited<ReturnType<typeof openEventStream>>>()

  const running = [
    ...buyers.map(use),
    ...Array.from({ length: STREAMS }, (_, index) => follow(buyers[index % buyers.length] as HttpUser)),
  ]
  return {
    failures,
    acknowledged,
    get requests() {
      return requests
    },
    get streamsOpened() {
      return streamsOpened
    },
    async stop() {
      over = true
      await Promise.all([...streams].map((stream) => stream.close()))
      await Promise.all(running)
    },
  }
}

/** Sends an instance half a request, and a request whose response is never read. */
export function slowClients(port: number): Socket[] {
  return [
    'GET /api/all-task HTTP/1.1\r\nHost: x\r\n',
    'GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n',
  ].map((text) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(text)
    return socket.pause()
  })
}

/** Signs up buyers. */
export const signUpBuyers = (url: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => httpSignUp(url, 'Buyer', `buyer${index}@example.com`)),
  )
