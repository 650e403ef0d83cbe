import { text as readAll } from 'node:stream/consumers'
import { coinRole, myTask, taskToReview } from '../client.ts'
import { type Command, required } from '../command.ts'
import { ofResponse, usageFailure } from '../failure.ts'
import { configureClient, LOGIN_FILE, saveLogin } from '../login-file.ts'

export const login: Command = {
  usage: '--url URL --email EMAIL < KEY_FILE',
  summary: 'store an API key, which is read from the standard input',
  options: { url: { type: 'string' }, email: { type: 'string' } },
  async run(values) {
    const url = siteUrl(required(values, 'url'))
    const email = required(values, 'email')
    if (process.stdin.isTTY) process.stderr.write('Paste the API key, then press Enter and Ctrl-D:\n')
    const key = (await readAll(process.stdin)).trim()
    if (!/^tw_[\w-]+$/.test(key)) throw usageFailure('The standard input has no API key (tw_…).')

    const stored = { url, email, key }
    configureClient(stored)
    await requireValid(email)
    saveLogin(stored)
    return { json: { url, email, file: LOGIN_FILE }, text: `Logged in to ${url} as ${email}.` }
  },
}

/**
 * Returns the URL without a slash at its end. A key is sent only encrypted, or to this machine.
 * @throws Failure for what is no such URL, also for one with a password, which `fetch` refuses, or with a query or fragment,
 * which would hide the paths of requests.
 */
function siteUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null) throw usageFailure(`--url is not a URL: ${text}`)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))
    throw usageFailure('--url must begin with https://, so that nobody can read the key.')
  if (url.username || url.password || url.search || url.hash)
    throw usageFailure('--url must have no user name, password, query (?…) or fragment (#…).')
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/**
 * Throws unless the key is valid and belongs to this email. Which operation can say so depends on the scopes of the key;
 * a key with none of these scopes is at least valid.
 */
async function requireValid(email: string): Promise<void> {
  for (const read of [coinRole, myTask, taskToReview]) {
    const { status, data } = await read(email)
    if (status === 200 && isOfApi(data)) return
    const failure = ofResponse(status, data)
    if (failure.code !== 'scope_missing') throw failure
  }
}

/** Returns whether a successful response is the caller's coins or a list. Other sites respond with 200 to any path. */
const isOfApi = (data: unknown) =>
  Array.isArray(data) || (typeof data === 'object' && data !== null && 'coin' in data)
