import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { defaults } from './client.ts'
import { EXIT, Failure } from './failure.ts'

export type Login = { url: string; email: string; key: string }

const folder = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
/** Where the login is stored, readable by its user only. */
export const LOGIN_FILE = join(folder, 'tallywork', 'login.json')

export function saveLogin(login: Login): void {
  mkdirSync(dirname(LOGIN_FILE), { recursive: true, mode: 0o700 })
  writeFileSync(LOGIN_FILE, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  // The mode of writeFileSync is that of a new file only.
  chmodSync(LOGIN_FILE, 0o600)
}

/** Returns the stored login and sets the client up with it. @throws Failure if there is none. */
export function requireLogin(): Login {
  const login = readLogin()
  configureClient(login)
  return login
}

/** Makes the client send its requests to this site with this key. */
export function configureClient({ url, key }: Login): void {
  defaults.baseUrl = `${url}/api`
  defaults.headers = { authorization: `Bearer ${key}` }
}

function readLogin(): Login {
  try {
    const login = JSON.parse(readFileSync(LOGIN_FILE, 'utf8')) as Partial<Login>
    const { url, email, key } = login
    if (url && email && key) return { url, email, key }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isMissing && !(error instanceof SyntaxError)) throw error
  }
  throw new Failure(EXIT.key, 'no_login', 'You are not logged in.', 'Run tallywork login first.')
}
