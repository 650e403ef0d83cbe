import { execFile, spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { CEILING_MS } from './eventually.ts'

/** What Playwright's `launchOptions` need to start the browser of this machine. */
export type Browser = { executablePath: string; args: string[]; env: Record<string, string> }

/** Our pages come from loopback and are our own, so the sandbox, which root cannot have, is not missed. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Returns a Chromium that has drawn a page: the one that CHROME_PATH names, Playwright's own, the system's, the one in
 * the npm package, or where there is none, one that is installed now. Found once per run; the processes that a
 * run starts inherit the result in TEST_BROWSER.
 * @throws a sentence with what was tried.
 */
export async function findBrowser(log: (line: string) => void = () => {}): Promise<Browser> {
  if (process.env.TEST_BROWSER) return JSON.parse(process.env.TEST_BROWSER)
  const tried: string[] = []
  for (const [name, find] of candidates(log)) {
    try {
      const browser = await find()
      if (browser === null) continue
      await drawPage(browser)
      process.env.TEST_BROWSER = JSON.stringify(browser)
      return browser
    } catch (error) {
      tried.push(`${name}: ${(error as Error).message.split('\n')[0]}`)
      if (name === 'CHROME_PATH') break // an explicit browser is used, or none
    }
  }
  throw new Error(
    'There is no browser to test with. Install Chromium or Chrome, or name one in CHROME_PATH.' +
      tried.map((line) => `\n  ${line}`).join(''),
  )
}

type Find = () => Browser | null | Promise<Browser | null>

function candidates(log: (line: string) => void): [name: string, find: Find][] {
  const named = process.env.CHROME_PATH
  return [
    ['CHROME_PATH', () => (named ? browserAt(named) : null)],
    ["Playwright's own", playwrightsOwn],
    ['the system', ofTheSystem],
    ['@sparticuz/chromium', () => fromPackage(log)],
    ['playwright install', () => installByPlaywright(log)],
    ['apt-get install chromium', () => installByApt(log)],
  ]
}

async function drawPage({ executablePath, args, env }: Browser): Promise<void> {
  const browser = await chromium.launch({ executablePath, args, env, timeout: CEILING_MS })
  try {
    const page = await browser.newPage({ viewport: { width: 64, height: 64 } })
    await page.setContent('<span>Here</span>')
    const text = await page.locator('span').boundingBox()
    if (!text || text.width === 0) throw new Error('it has no fonts')
    await page.screenshot()
  } finally {
    await browser.close()
  }
}

function browserAt(executablePath: string, env: Record<string, string> = {}): Browser {
  accessSync(executablePath, constants.X_OK)
  return { executablePath, args: ARGS, env: { ...(process.env as Record<string, string>), ...env } }
}

function playwrightsOwn(): Browser | null {
  const own = chromium.executablePath()
  return existsSync(own) ? browserAt(own) : null
}

function ofTheSystem(): Browser | null {
  const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge']
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const apps = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ]
  const places = [...names.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...apps]
  const found = places.find((place) => existsSync(place))
  return found ? browserAt(found) : null
}

/** A Chromium for servers without a desktop, packed into an npm package together with the libraries it misses there. */
async function fromPackage(log: (line: string) => void): Promise<Browser | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const main = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const root = path.dirname(path.dirname(main))
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const folder = path.join(import.meta.dirname, '../../node_modules/.cache', `chromium-${version}`)
  if (!existsSync(folder)) {
    log('Unpacking Chromium …')
    await unpack(path.join(root, 'bin'), folder)
  }
  const scratch = mkdtempSync(path.join(tmpdir(), 'tallywork-browser-'))
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
  return browserAt(path.join(folder, 'chromium'), {
    LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'),
    FONTCONFIG_FILE: fontList(path.join(folder, 'fonts'), scratch),
    TMPDIR: scratch,
  })
}

/** The package's own list of fonts names the folders of the machines that it was made for. */
function fontList(fonts: string, scratch: string): string {
  const file = path.join(scratch, 'fonts.conf')
  const folders = [fonts, '/usr/share/fonts'].map((folder) => `<dir>${folder}</dir>`).join('')
  writeFileSync(file, `<fontconfig>${folders}<cachedir>${scratch}/fonts</cachedir></fontconfig>`)
  return file
}

/**
 * The package unpacks into the temporary folder of its process, which is one of its own: others of this process continue
 * meanwhile. The result is renamed when complete.
 */
async function unpack(packed: string, folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  try {
    const files = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) => path.join(packed, name))
    const program = path.join(import.meta.dirname, 'unpack-chromium.ts')
    await promisify(execFile)(process.execPath, [program, ...files], {
      env: { ...process.env, TMPDIR: draft },
    })
    chmodSync(path.join(draft, 'chromium'), 0o755)
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function installByPlaywright(log: (line: string) => void): Browser | null {
  log('Installing the Chromium of Playwright …')
  const command = createRequire(import.meta.url).resolve('@playwright/test/cli')
  const withLibraries = process.getuid?.() === 0 ? ['--with-deps'] : []
  run(process.execPath, [command, 'install', ...withLibraries, 'chromium'])
  return playwrightsOwn()
}

function installByApt(log: (line: string) => void): Browser | null {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  log('Installing Chromium with apt-get …')
  run('apt-get', ['update', '-q'])
  run('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'chromium'])
  return ofTheSystem()
}

function run(command: string, args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, error, stderr } = spawnSync(command, args, { env, encoding: 'utf8', timeout: 600_000 })
  if (status === 0) return
  const lines = stderr.trim().split('\n')
  throw new Error(error?.message ?? lines.find((line) => /error|fail/i.test(line)) ?? lines.at(-1))
}
