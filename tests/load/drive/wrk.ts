import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const LUA = join(import.meta.dirname, 'requests.lua')

/** One HTTP request to send; `once` requests change something and are never sent twice. */
export type Request = {
  method: string
  path: string
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

/** Times in milliseconds. `errors` counts responses of 400 and above, and connections that broke. */
export type Driven = {
  perSecond: number
  p50: number
  p95: number
  p99: number
  errors: number
  requests: number
  seconds: number
}

type Load = { port: number; requests: Request[]; connections: number; seconds: number; once?: boolean }

/** Loads a server on this machine with wrk: N connections, each waiting for its response before the next request. */
export async function drive({ port, requests, connections, seconds, once = false }: Load): Promise<Driven> {
  const file = join(tmpdir(), `bench-${randomUUID()}`)
  writeFileSync(
    file,
    requests
      .map((request) => onTheWire(request, port))
      .map((text) => `${Buffer.byteLength(text)}\n${text}`)
      .join(''),
  )
  try {
    const { stdout } = await run(
      'wrk',
      [
        '-t1',
        `-c${connections}`,
        `-d${seconds}s`,
        '--timeout',
        '20s',
        '--latency',
        '-s',
        LUA,
        `http://127.0.0.1:${port}/`,
        '--',
        file,
        once ? 'once' : 'again',
      ],
      { maxBuffer: 1e7 },
    )
    const [, json] = /^RESULT (.*)$/m.exec(stdout) ?? []
    if (json === undefined) throw new Error(`wrk said:\n${stdout}`)
    const {
      requests: sent,
      seconds: took,
      refused,
      broken,
      p50,
      p95,
      p99,
    } = JSON.parse(json) as Record<
      'requests' | 'seconds' | 'refused' | 'broken' | 'p50' | 'p95' | 'p99',
      number
    >
    return {
      perSecond: sent / took,
      p50,
      p95,
      p99,
      errors: refused + broken,
      requests: sent,
      seconds: took,
    } as Driven
  } finally {
    rmSync(file, { force: true })
  }
}

export function onTheWire({ method, path, token, body, headers = {} }: Request, port: number): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: localhost:${port}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}
