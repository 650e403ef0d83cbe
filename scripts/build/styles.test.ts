import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { withVariablesInHead } from './mantine-styles.ts'
import { shortenStyles } from './styles.ts'

test('what the app does not use of Mantine is removed', () => {
  const button = '.m_77c9d27d{height:calc(1.875rem * var(--mantine-scale));color:var(--mantine-color-jade-1)}'
  const group =
    '.m_80d6d844[data-orientation=vertical] .m_77c9d27d:first-child,.m_80d6d844 .m_70be2a01{margin:0}'
  const root = ':root{--mantine-color-pink-1:#fff;--mantine-color-jade-1:#000;--mantine-h1-font-size:2rem}'
  assert.equal(
    shortenStyles(`@layer mantine{${root}${group}${button}}`),
    '@layer mantine{:root{--mantine-color-jade-1:#000;}.m_77c9d27d{height:1.875rem;color:var(--mantine-color-jade-1)}}',
  )
})

test('a rule that also has a class in use stays', () => {
  const rule = '.m_80d6d844 .m_77c9d27d,.m_77c9d27d{margin:0}'
  assert.equal(shortenStyles(`}${rule}`), `}${rule}`)
})

test('the app has no group of buttons and no heading of Mantine', async () => {
  for await (const path of glob('web/**/*.tsx')) {
    const code = await readFile(path, 'utf8')
    assert.doesNotMatch(
      code,
      /(Button|ActionIcon)\.Group|\b(Button|ActionIcon)Group|import [^\n]*\bTitle\b[^\n]*@mantine/,
      path,
    )
  }
})

test("Mantine's variables are in the head of a page, after all other styles", () => {
  const variables = '<style data-mantine-styles="true">:root{--mantine-scale:1}</style>'
  assert.equal(
    withVariablesInHead(`<head><style>p{}</style></head><body>${variables}<p></p></body>`),
    `<head><style>p{}</style>${variables}</head><body><p></p></body>`,
  )
  assert.throws(() => withVariablesInHead('<head></head><body></body>'), /has no variables/)
})
