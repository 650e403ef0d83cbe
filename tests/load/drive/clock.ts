import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { at } from './percentile.ts'
import { onTheWire, type Request } from './wrk.ts'

// A process of its own that sends requests by the clock, whether or not earlier ones have a response, as people do. It gets
// its work by messages: first the port and the requests, then a rate and a duration; it replies with the measurements.
// It writes prepared bytes and reads only status and length of a response, so that it is not the bottleneck.

export type Load = { perSecond: number; seconds: number }
export type Offered = {
  /** How many requests were due. */
  offered: number
  /** Responses of 200–299, by the number of the request in the list given at the beginning. */
  good: number
  /** Rejected with 429 or 503. */
  refused: number
  /** Any other response, by status; 0 is none within the deadline, or a broken connection. */
  others: Record<string, number>
  /** Milliseconds from when a request was due until its response, of successful ones. */
  p50: number
  p99: number
  slowest: number
  /** The same of rejected requests. */
  refusedP99: number
  /** How late requests were sent: the part of the latency caused by this process. */
  lateP99: number
  /** Processor time of this process in percent of one core. */
  ownCpu: number
  seconds: number
}

const DEADLINE_MS = 10_000
const CONNECTIONS_MAX = 8_000

type OnResponse = (status: number) => void
type Line = {
  socket: Socket
  onResponse: OnResponse | undefined
  text: string
  missing: number
  status: number
}

let port = 0
let wire: Buffer[] = []
const idle: Line[] = []
let open = 0

function newLine(): Line {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const line: Line = { socket, onResponse: undefined, text: '', missing: -1, status: 0 }
  open++
  socket.on('data', (chunk) => read(line, chunk))
  socket.on('error', () => {})
  socket.once('close', () => {
    open--
    const index = line.onResponse === undefined ? idle.indexOf(line) : -1
    if (index >= 0) idle.splice(index, 1)
    finish(line, 0, false)
  })
  return line
}

function read(line: Line, chunk: Buffer): void {
  if (line.missing < 0) {
    line.text += chunk.toString('latin1')
    const end = line.text.indexOf('\r\n\r\n')
    if (end < 0) return
    const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(line.text.slice(0, end + 2)) ?? []
    line.status = Number(line.text.slice(9, 12))
    line.missing = Number(length) - (line.text.length - end - 4)
  } else line.missing -= chunk.length
  if (line.missing <= 0) finish(line, line.status, true)
}

function finish(line: Line, status: number, usable: boolean): void {
  const { onResponse } = line
  Object.assign(line, { onResponse: undefined, text: '', missing: -1, status: 0 })
  if (usable) idle.push(line)
  onResponse?.(status)
}

function send(bytes: Buffer, onResponse: OnResponse): void {
  const line = idle.pop() ?? (open < CONNECTIONS_MAX ? newLine() : undefined)
  if (line === undefined) onResponse(0)
  else {
    line.onResponse = onResponse
    line.socket.write(bytes)
  }
}

async function offer({ perSecond, seconds }: Load): Promise<Offered> {
  const good: number[] = []
  const refused: number[] = []
  const late: number[] = []
  const others: Record<string, number> = {}
  const before = process.cpuUsage()
  const began = performance.now()
  let made = 0
  let waiting = 0
  const call = (due: number) => {
    late.push(performance.now() - due)
    waiting++
    let isOpen = true
    send(wire[made++ % wire.length] as Buffer, (status) => {
      if (!isOpen) return
      isOpen = false
      waiting--
      const ms = performance.now() - due
      if (status >= 200 && status < 300 && ms <= DEADLINE_MS) good.push(ms)
      else if (status === 503 || status === 429) refused.push(ms)
      else others[status] = (others[status] ?? 0) + 1
    })
  }
  for (;;) {
    const passed = Math.min(performance.now() - began, seconds * 1000)
    while (made < (passed / 1000) * perSecond) call(began + (made / perSecond) * 1000)
    if (passed >= seconds * 1000) break
    await sleep(1)
  }
  const until = performance.now() + DEADLINE_MS
  while (waiting > 0 && performance.now() < until) await sleep(10)
  if (waiting > 0) others[0] = (others[0] ?? 0) + waiting
  const { user, system } = process.cpuUsage(before)
  return {
    offered: made,
    good: good.length,
    refused: refused.length,
    others,
    p50: at(good, 0.5),
    p99: at(good, 0.99),
    slowest: at(good, 1),
    refusedP99: at(refused, 0.99),
    lateP99: at(late, 0.99),
    ownCpu: Math.round((user + system) / 10_000 / ((performance.now() - began) / 1000)),
    seconds,
  }
}

process.on('message', (message: { port: number; requests: Request[] } | Load) => {
  if ('port' in message) {
    port = message.port
    wire = message.requests.map((request) => Buffer.from(onTheWire(request, port)))
    process.send?.('ready')
  } else void offer(message).then((totals) => process.send?.(totals))
})
process.on('disconnect', () => process.exit())
