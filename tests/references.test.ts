import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const SOURCES =
  '{contract,server,web,cli,tests,scripts,docs,deploy}/**/*.{ts,tsx,mjs,sql,css,sh,yml,yaml,conf,md}'

/**
 * Files that cannot change: applied migrations, whose hash is checked, of which two cite documents outside the repository and
 * one a heading by its former name, and the functions of earlier releases. The last is this test.
 */
const EXCEPTIONS = [
  'server/database/migrations/0003_users.sql',
  'server/database/migrations/0008_idempotency_and_contact.sql',
  'server/database/migrations/0200_audit_log_filters.sql',
  'tests/process/released/',
  'tests/references.test.ts',
]

/** A file below one of the folders, with an optional anchor: docs/specification/coins.md#escrow, server/main.ts. */
const FILE =
  /(?<![\w#./@-])((?:contract|server|web|cli|tests|scripts|docs|deploy)\/[\w./-]*\.(?:tsx?|mjs|sql|css|sh|ya?ml|md|png))\b(#[\w-]+)?/g
/** A folder with a slash at its end, and one that is all of an inline code. */
const FOLDER =
  /(?<![\w#./@-])((?:contract|server|web|cli|tests|scripts|docs|deploy)\/(?:[\w-]+\/)+)(?!\w|\.\w)/g
const FOLDER_IN_CODE = /`((?:contract|server|web|cli|tests|scripts|docs|deploy)(?:\/[\w-]+)+)`/g
/** A document without its folder: in Markdown it is a neighbour, elsewhere it is at the root. */
const DOCUMENT = /(?<![\w#./@-])([\w-]+\.md)\b/g
/** A source file without its folder: some file has this name. */
const FILE_NAME = /(?<![\w#./'@$}*-])([\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs|sql))\b/g
const LINK = /(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g

/** A rule without a path: a section number, and the specification where no page of it follows. */
const WITHOUT_PATH = /\bthe specification\b(?!.{0,40}\bspecification\/)|(?<!RFC \d+ )§/gi

const PATHS = await Array.fromAsync(glob([SOURCES, 'README.md', '*.config.ts'], { cwd: ROOT }))
const NAMES = new Set(PATHS.map((path) => basename(path)))

type Source = { path: string; text: string }

async function sources(): Promise<Source[]> {
  const paths = PATHS.filter((path) => !EXCEPTIONS.some((exception) => path.startsWith(exception)))
  assert.ok(paths.length > 400, 'The test reads the files it checks')
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })))
}

const exists = (path: string) => existsSync(join(ROOT, path))
const isMarkdown = (path: string) => path.endsWith('.md')
/** The lines that are comments, and comments at the end of a line. */
const commentsOf = (code: string) => code.match(/^\s*(?:\*|\/\*|--|#).*$|(?<!:)\/\/.*$/gm)?.join('\n') ?? ''
const withoutCode = (markdown: string) => markdown.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '')

/** The anchors of a document's headings, as GitHub names them. */
async function anchorsOf(path: string): Promise<Set<string>> {
  const text = (await readFile(join(ROOT, path), 'utf8')).replace(/^```.*?^```/gms, '')
  const slugs = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set(slugs)
}

async function resolves(path: string, anchor = ''): Promise<boolean> {
  if (!exists(path)) return false
  return anchor === '' || !isMarkdown(path) || (await anchorsOf(path)).has(anchor.slice(1))
}

async function brokenIn({ path, text }: Source): Promise<string[]> {
  const found: { name: string; target: string; anchor?: string | undefined }[] = []
  for (const [, target = '', anchor] of text.matchAll(FILE)) found.push({ name: target, target, anchor })
  for (const [, target = ''] of text.matchAll(FOLDER)) found.push({ name: target, target })
  for (const [, target = ''] of text.matchAll(FOLDER_IN_CODE)) found.push({ name: target, target })
  for (const [, name = ''] of text.matchAll(DOCUMENT)) {
    const near = join(dirname(path), name)
    found.push({ name, target: isMarkdown(path) && exists(near) ? near : name })
  }
  if (isMarkdown(path)) {
    for (const [, link = ''] of withoutCode(text).matchAll(LINK)) {
      // Links to the pages at /api/docs are checked by server/api-docs/api-docs.test.ts.
      if (/^[a-z]+:|^\/api\//.test(link)) continue
      const [file = '', fragment] = link.split('#')
      const target = file === '' ? path : join(dirname(path), file)
      found.push({ name: file, target, anchor: fragment === undefined ? '' : `#${fragment}` })
    }
  }
  const checked = await Promise.all(
    found.map(async (reference) =>
      (await resolves(reference.target, reference.anchor))
        ? []
        : [`${path}: ${reference.name}${reference.anchor ?? ''}`],
    ),
  )
  const prose = isMarkdown(path) ? text : commentsOf(text)
  const unknown = [...prose.matchAll(FILE_NAME)].flatMap(([, name = '']) =>
    NAMES.has(name) ? [] : [`${path}: ${name}`],
  )
  return [...checked.flat(), ...unknown]
}

test('every path to a document, source file or folder resolves', async () => {
  const broken = await Promise.all((await sources()).map(brokenIn))
  assert.deepEqual([...new Set(broken.flat())].toSorted(), [])
})

test('every rule is cited by a path in the repository', async () => {
  const vague = (await sources()).flatMap(({ path, text }) => {
    const oneLine = text.replace(/\s*\n\s*(?:\*|--|\/\/)?\s*/g, ' ')
    return [...oneLine.matchAll(WITHOUT_PATH)].map(
      ({ index }) => `${path}: ${oneLine.slice(Math.max(0, index - 40), index + 40)}`,
    )
  })
  assert.deepEqual(vague, [])
})
