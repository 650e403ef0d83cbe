import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Locale, localePath, splitLocale } from '#contract/locales.ts'

test('the path of a page in a language can be split again', () => {
  const cases: [Locale, path: string, localized: string][] = [
    ['en', '/', '/'],
    ['en', '/login?returnTo=%2Fbn', '/login?returnTo=%2Fbn'],
    ['en', '/bnx', '/bnx'],
    ['bn', '/', '/bn'],
    ['bn', '/login', '/bn/login'],
    ['bn', '/#packages', '/bn/#packages'],
    ['bn', '/dashboard/my-task?page=2#row', '/bn/dashboard/my-task?page=2#row'],
  ]
  for (const [locale, path, localized] of cases) {
    assert.equal(localePath(locale, path), localized)
    assert.deepEqual(splitLocale(localized), { locale, path })
  }
})

test('the path without its language is never a URL of another site', () => {
  for (const path of ['/bn//evil.example/x', '/bn///evil.example/x', '/bn/\\evil.example/x'])
    assert.deepEqual(splitLocale(path), { locale: 'bn', path: '/evil.example/x' })
})

test('the home page of a language may end with a slash, a query or a fragment', () => {
  assert.deepEqual(splitLocale('/bn/'), { locale: 'bn', path: '/' })
  assert.deepEqual(splitLocale('/bn?a=b'), { locale: 'bn', path: '/?a=b' })
  assert.deepEqual(splitLocale('/bn#packages'), { locale: 'bn', path: '/#packages' })
})
