import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { readExamples } from '#server/api-docs/examples.ts'
import { GUIDES } from '#server/api-docs/guides.ts'
import { useApi } from '#tests/support/api.ts'
import { exampleRequests, operationsWithExamples } from '#tests/support/example-requests.ts'
import { aBuyer, aTask } from '#tests/support/factories.ts'

/** Prints the status after each response. */
const CURL = String.raw`curl() { command curl -sS -w '\n[status %{http_code}]\n' "$@"; }`

const skip =
  ['curl', 'openssl'].some((command) => spawnSync(command, ['version']).error !== undefined) &&
  'curl or openssl is not installed'

/**
 * Each `curl` command of the documentation, run by a shell against a server. Only what the documentation says to replace
 * is replaced: ids, times, emails and keys. Operations that need a browser have no command: they are not for API keys.
 */
describe('commands of the documentation', { skip }, () => {
  const api = useApi()
  let url: string

  before(async () => {
    url = await api.instance.app.listen({ port: 0, host: '127.0.0.1' })
  })

  const pageOf = async (path: string) => (await api.anyone.get(path)).text

  function start(command: string, key: string): ChildProcessByStdio<null, Readable, Readable> {
    const here = command.replaceAll(api.instance.config.publicUrl, url)
    const env = { PATH: process.env.PATH, TALLYWORK_KEY: key }
    return spawn('sh', ['-c', `${CURL}\n${here}`], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  /** Returns the statuses of the responses, and what was printed before the first of them. */
  async function run(command: string, key: string) {
    const child = start(command, key)
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    assert.deepEqual([child.exitCode, stderr], [0, ''], command)
    const statuses = Array.from(stdout.matchAll(/^\[status (\d+)\]$/gm), ([, status]) => Number(status))
    return { statuses, stdout, body: stdout.slice(0, stdout.indexOf('\n[status ')) }
  }

  test('each operation of keys responds to its command as documented', async () => {
    const { requests } = await exampleRequests(api)
    const examples = readExamples()
    const page = await pageOf('/docs')
    assert.equal(commandsIn(page).length, requests.length)
    for (const { name, path, lastEventId, body, key } of requests) {
      const example = examples[name] ?? assert.fail(name)
      const [command = assert.fail(name)] = commandsIn(page.split(`<details id="${name}">`)[1] ?? '')
      if (lastEventId !== undefined) {
        await expectStream(command, key)
        continue
      }
      const result = await run(withOwnValues(command, example, { path, body }), key)
      assert.deepEqual(result.statuses, [example.status], `${name}: ${result.stdout}`)
      if (example.response === undefined || typeof example.response === 'string') continue
      const reply = operationsWithExamples().find((one) => one.name === name)?.endpoint.reply
      reply?.parse(JSON.parse(result.body))
    }
  })

  test('each command of the guides does what its guide says', async () => {
    const buyer = await aBuyer(api.database, { coins: 100 })
    const taskId = await aTask(api.database, buyer, { slots: 1, reward: 2 })
    await aTask(api.database, buyer, { slots: 1, reward: 2 })
    const scopes = ['tasks', 'review', 'payments:read', 'account:read', 'events']
    const made = await api.as(buyer).post('/api-keys', { name: 'Guides', scopes, expiresInDays: 1 })
    const key: string = made.body.secret
    const { headers } = await api.as(buyer).get(`/my-task/${buyer.email}?limit=1`)
    const own: Record<string, string> = {
      'tw_…': key,
      TASK_ID: taskId,
      'you@example.com': buyer.email,
      CURSOR: String(headers['x-next-cursor']),
    }
    const withOwn = (command: string) =>
      Object.entries(own).reduce((result, [shown, value]) => result.replaceAll(shown, value), command)

    const expected: Record<string, number[]> = {
      authentication: [200],
      idempotency: [200],
      paging: [200, 200],
    }
    for (const { slug } of GUIDES) {
      for (const command of commandsIn(await pageOf(`/docs/${slug}`))) {
        if (command.includes('/api/events')) await expectStream(withOwn(command), key)
        else assert.deepEqual((await run(withOwn(command), key)).statuses, expected[slug], slug)
        delete expected[slug]
      }
    }
    assert.deepEqual(expected, {})
  })

  /** The stream has no end: the command is stopped after its first event. */
  async function expectStream(command: string, key: string): Promise<void> {
    const child = start(`exec ${command}`, key)
    const closed = once(child, 'close')
    let received = ''
    for await (const chunk of child.stdout) {
      received += String(chunk)
      if (received.includes('event: connected')) break
    }
    assert.match(received, /event: connected/, command)
    child.kill()
    await closed
  }
})

/** Returns the commands of a page as a reader copies them. */
function commandsIn(html: string): string[] {
  const blocks = html.matchAll(/<pre[^>]*><code>([^<]*\bcurl [^<]*)<\/code>/g)
  return Array.from(blocks, ([, code = '']) => unescaped(code))
}

function unescaped(html: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name] ?? '')
}

type Request = { path: string; body?: unknown }

/** Between the words of a command. Colons within times and lists of numbers are not. */
const SEPARATOR = /((?:[/?&=",[\]{}\s']|(?<!\d):|:(?!\d))+)/

/** Returns a documented command with the ids, times and emails of a request in place of the documented ones. */
function withOwnValues(command: string, documented: Request, own: Request): string {
  const words = ({ path, body }: Request) => `${path} ${JSON.stringify(body)}`.split(SEPARATOR)
  const [before, after] = [words(documented), words(own)]
  assert.equal(before.length, after.length, command)
  const values = new Map(before.map((word, index) => [word, after[index] ?? '']))
  return command
    .split(SEPARATOR)
    .map((word) => values.get(word) ?? word)
    .join('')
}
