import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DEFAULT_LOCALE, LOCALES, type Locale } from '#contract/locales.ts'

/**
 * Builds the web app once per language, and moves the results into one folder: assets of all languages are in `assets/`,
 * all other files of a language except English in its own folder, such as `bn/`.
 */
const folder = process.env.BUILD_DIRECTORY ?? 'build'
const client = join(folder, 'client')

// One after the other: each build of React Router deletes and writes the same types.
for (const locale of LOCALES) await build(locale)
for (const locale of LOCALES) if (locale !== DEFAULT_LOCALE) await merge(locale)

function folderOf(locale: Locale): string {
  return locale === DEFAULT_LOCALE ? folder : join(folder, locale)
}

async function build(locale: Locale): Promise<void> {
  const child = spawn('react-router', ['build'], {
    env: { ...process.env, BUILD_DIRECTORY: folderOf(locale), LOCALE: locale },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The build of the language ${locale} failed.`)
}

async function merge(locale: Locale): Promise<void> {
  const from = join(folderOf(locale), 'client')
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const relative = path.slice(from.length + 1)
    if (!entry.isFile() || relative.startsWith('.vite/')) continue
    const target = join(client, placeOf(locale, relative))
    if (existsSync(target)) {
      if (!(await readFile(target)).equals(await readFile(path)))
        throw new Error(`${relative} differs between the languages.`)
      continue
    }
    await mkdir(dirname(target), { recursive: true })
    await rename(path, target)
  }
  await rm(folderOf(locale), { recursive: true })
}

/** Returns the path in the common folder. React Router names the fallback page `index.html` where there is no other. */
function placeOf(locale: Locale, path: string): string {
  if (path.startsWith('assets/') || path.startsWith(`${locale}/`)) return path
  return join(locale, path === 'index.html' ? '__spa-fallback.html' : path)
}
