import { setTimeout as wait } from 'node:timers/promises'
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import { type Command, optional, plain } from '../command.ts'
import { asFailure, EXIT, Failure, ofResponse, usageFailure } from '../failure.ts'
import { type Login, requireLogin } from '../login-file.ts'

const RETRY_MS = { first: 2_000, most: 30_000 }

export const followEvents: Command = {
  usage: '[--after ID]',
  summary: 'print your events as they come, one a line, until it is interrupted',
  options: { after: { type: 'string' } },
  async run(values) {
    const after = optional(values, 'after')
    if (after !== undefined && !/^\d{1,15}$/.test(after))
      throw usageFailure('--after is the number of an event.')
    const login = requireLogin()
    await follow(login, after, (id, event) => {
      process.stdout.write(values.json ? jsonLine(id, event) : textLine(id, event))
    })
    return undefined
  },
}

type Print = (id: string, event: { type: string; createdAt: string; data: object }) => void

/** Connects again after a stream has ended, from the last event on. A failure of the first connection is thrown. */
async function follow(login: Login, after: string | undefined, print: Print): Promise<never> {
  let lastId = after
  let pause = RETRY_MS.first
  let hasConnected = false
  for (;;) {
    try {
      for await (const { id, event, data } of await connect(login, lastId)) {
        hasConnected = true
        lastId = id ?? lastId
        pause = RETRY_MS.first
        if (event === 'closing') requireEndThatPasses(data)
        else if (event !== 'connected') print(lastId ?? '', JSON.parse(data))
      }
    } catch (thrown) {
      const failure = asFailure(thrown)
      if (!hasConnected || failure.exitCode !== EXIT.unavailable) throw failure
      process.stderr.write(`${failure.message} Connecting again in ${pause / 1000} s.\n`)
    }
    await wait(pause)
    pause = Math.min(pause * 2, RETRY_MS.most)
  }
}

async function connect({ url, key }: Login, lastId: string | undefined) {
  const response = await fetch(`${url}/api/events`, {
    headers: { authorization: `Bearer ${key}`, ...(lastId !== undefined && { 'last-event-id': lastId }) },
  })
  if (response.status !== 200 || response.body === null)
    throw ofResponse(response.status, await response.json().catch(() => undefined))
  return response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream()) as AsyncIterable<EventSourceMessage>
}

/** Throws for a stream that ends for a reason that stays: the key ended, or other streams of the user took its place. */
function requireEndThatPasses(data: string): void {
  const { reason } = JSON.parse(data) as { reason: string }
  if (reason === 'credential')
    throw new Failure(EXIT.key, 'invalid_token', 'The API key was revoked or has expired.', 'Log in again.')
  if (reason === 'crowded')
    throw new Failure(EXIT.refused, reason, 'Too many streams of this account are open.', 'End another one.')
}

const jsonLine = (lastEventId: string, event: object) => `${JSON.stringify({ lastEventId, event })}\n`

const textLine: (...args: Parameters<Print>) => string = (id, { type, createdAt, data }) =>
  `${plain(`${createdAt}  ${id}  ${type}  ${JSON.stringify(data)}`)}\n`
