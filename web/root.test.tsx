import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site } from '#contract/site.ts'
import { ErrorBoundary, HydrateFallback } from '#web/root.tsx'
import { render, server, until } from '#web/testing/app.tsx'
import { SITE } from '#web/testing/fake-server.ts'

test('the title of the loading state is the name of the site', async () => {
  server.serve(site, { ...SITE, name: 'Our Market' })
  render(<HydrateFallback />)
  await until(() => assert.equal(document.title, 'Our Market'))
})

test('the title of the error page is the name of the site', async () => {
  server.serve(site, { ...SITE, name: 'Our Market' })
  render(<ErrorBoundary error={new Error('Failed')} params={{}} />)
  await until(() => assert.equal(document.title, 'Our Market'))
})
