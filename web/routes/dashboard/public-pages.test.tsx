import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { changeSitePage, previewSitePage, sitePage, sitePageSource } from '#contract/site-pages.ts'
import { queryClient, queryKeyOf } from '#web/lib/queries.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

const ADMIN = anId()
const SOURCE = {
  page: 'fees' as const,
  locale: 'en' as 'en' | 'bn',
  behindEnglish: false,
  version: 1,
  text: 'Old fees',
  defaultText: 'Default fees',
  changes: [
    {
      version: 1,
      text: 'Old fees',
      changedBy: 'Mst. Kamrunnahar Begum Chowdhury of Brahmanbaria',
      changedById: ADMIN,
      changedAt: '2026-11-20T10:00:00.000Z',
      reason: 'Clearer',
    },
  ],
}

test('an Admin edits a page with a preview, and publishes it with a reason', async () => {
  server.serve(sitePageSource, SOURCE)
  server.serve(previewSitePage, ({ body }) => ({ html: `<p>Preview of ${body.text}</p>` }))
  server.serve(changeSitePage, ({ body }) => ({ ...SOURCE, version: 2, text: body.text }))
  await openApp('/dashboard/public-pages?text=fees', { as: aUser('Admin') })
  await screen.findByText('Preview of Old fees')
  assert.equal(button('Publish').hasAttribute('disabled'), true)
  await user.click(screen.getByText('History, 1 version'))
  assert.equal(
    screen.getByRole('link', { name: /Kamrunnahar/ }).getAttribute('href'),
    `/dashboard/manage-users/${ADMIN}`,
  )
  await fill(field(/^text of fees/i), 'New fees')
  await screen.findByText('Preview of New fees')
  await user.click(button('Publish'))
  const shown = within(await dialog('Publish Fees?'))
  await user.type(shown.getByRole('textbox'), 'New prices')
  await user.click(shown.getByRole('button', { name: 'Publish' }))
  await until(() =>
    assert.deepEqual(
      server.received(changeSitePage).map(({ body }) => body),
      [{ text: 'New fees', locale: 'en', version: 1, reason: 'New prices' }],
    ),
  )
  await screen.findByText('The page is published.')
})

test('an Admin publishes the text of another language, also unchanged while the page shows the English one', async () => {
  const bangla = {
    ...SOURCE,
    locale: 'bn' as const,
    behindEnglish: true,
    version: 0,
    text: 'ফি',
    changes: [],
  }
  server.serve(sitePageSource, ({ query }) => (query.locale === 'bn' ? bangla : SOURCE))
  server.serve(previewSitePage, ({ body }) => ({ html: `<p>Preview of ${body.text}</p>` }))
  server.serve(changeSitePage, { ...bangla, behindEnglish: false, version: 1 })
  await openApp('/dashboard/public-pages?text=fees', { as: aUser('Admin') })
  await user.click(await screen.findByRole('link', { name: 'Bangla' }))
  await screen.findByText('Preview of ফি')
  assert.equal(screen.getByRole('link', { name: 'View page' }).getAttribute('href'), '/bn/fees')
  screen.getByText(/^This page shows the English text/)
  await user.click(button('Publish'))
  const shown = within(await dialog('Publish Fees?'))
  await user.type(shown.getByRole('textbox'), 'Translated')
  await user.click(shown.getByRole('button', { name: 'Publish' }))
  await until(() =>
    assert.deepEqual(
      server.received(changeSitePage).map(({ body }) => body),
      [{ text: 'ফি', locale: 'bn', version: 0, reason: 'Translated' }],
    ),
  )
})

const shownText = () => (field(/^text of fees/i) as HTMLTextAreaElement).value

async function publish(): Promise<void> {
  await user.click(button('Publish'))
  const shown = within(await dialog('Publish Fees?'))
  await user.type(shown.getByRole('textbox'), 'New prices')
  await user.click(shown.getByRole('button', { name: 'Publish' }))
}

test('a changed text is there again after another language was shown, until it is discarded', async () => {
  const bangla = { ...SOURCE, locale: 'bn' as const, text: 'ফি' }
  server.serve(sitePageSource, ({ query }) => (query.locale === 'bn' ? bangla : SOURCE))
  server.serve(previewSitePage, ({ body }) => ({ html: `<p>Preview of ${body.text}</p>` }))
  await openApp('/dashboard/public-pages?text=fees', { as: aUser('Admin') })
  await fill(await screen.findByLabelText(/^text of fees/i), 'New fees')
  await user.click(screen.getByRole('link', { name: 'Bangla' }))
  await screen.findByText('Preview of ফি')
  await user.click(screen.getByRole('link', { name: 'English' }))
  await until(() => assert.equal(shownText(), 'New fees'))
  await user.click(button('Discard changes'))
  assert.equal(shownText(), 'Old fees')
  await openApp('/dashboard/public-pages?text=fees')
  await until(() => assert.equal(shownText(), 'Old fees'))
})

test('a text that another Admin published replaces an unchanged one only; a changed one is published after a warning', async () => {
  server.serve(sitePageSource, SOURCE)
  server.serve(previewSitePage, ({ body }) => ({ html: `<p>Preview of ${body.text}</p>` }))
  await openApp('/dashboard/public-pages?text=fees', { as: aUser('Admin') })
  await screen.findByText('Preview of Old fees')
  server.serve(sitePageSource, { ...SOURCE, version: 2, text: 'Their fees' })
  await queryClient.invalidateQueries({ queryKey: queryKeyOf(sitePageSource) })
  await until(() => assert.equal(shownText(), 'Their fees'))

  await fill(field(/^text of fees/i), 'My fees')
  server.serve(sitePageSource, { ...SOURCE, version: 3, text: 'Their last fees' })
  await queryClient.invalidateQueries({ queryKey: queryKeyOf(sitePageSource) })
  server.refuse(changeSitePage, 'state_conflict', 'Somebody else has changed this page.')
  await publish()
  await screen.findByText(/^Your text is kept/)
  await user.click(button('OK'))
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal(shownText(), 'My fees')
  server.serve(changeSitePage, () => {
    const published = { ...SOURCE, version: 4, text: 'My fees' }
    server.serve(sitePageSource, published)
    return published
  })
  await publish()
  await screen.findByText('The page is published.')
  assert.deepEqual(
    server.received(changeSitePage).map(({ body }) => [body.text, body.version]),
    [
      ['My fees', 2],
      ['My fees', 3],
    ],
  )
  expectGone(screen.queryByText('Discard changes'))
})

test('what is typed while a text is published stays as a draft, based on the published version', async () => {
  server.serve(sitePageSource, SOURCE)
  server.serve(previewSitePage, ({ body }) => ({ html: `<p>Preview of ${body.text}</p>` }))
  server.serve(changeSitePage, ({ body }) => {
    const published = { ...SOURCE, version: body.version + 1, text: body.text }
    server.serve(sitePageSource, published)
    return published
  })
  await openApp('/dashboard/public-pages?text=fees', { as: aUser('Admin') })
  await fill(await screen.findByLabelText(/^text of fees/i), 'New fees')
  const held = server.hold(changeSitePage)
  await publish()
  await until(() => assert.equal(server.received(changeSitePage).length, 1))
  await user.type(field(/^text of fees/i), ' and taxes')
  held.release()
  await screen.findByText('The page is published.')
  assert.equal(shownText(), 'New fees and taxes')

  await openApp('/dashboard/public-pages?text=fees')
  await until(() => assert.equal(shownText(), 'New fees and taxes'))
  await publish()
  await until(() =>
    assert.deepEqual(
      server.received(changeSitePage).map(({ body }) => [body.text, body.version]),
      [
        ['New fees', 1],
        ['New fees and taxes', 2],
      ],
    ),
  )
})

test('a public page fetches its text after a navigation, and says when that fails', async () => {
  server.serve(sitePage, { html: '<h2>Escrow</h2><p>Coins wait.</p>' })
  const router = await openApp('/terms')
  await screen.findByRole('heading', { level: 2, name: 'Escrow' })
  server.refuse(sitePage, 'internal')
  await router.navigate('/privacy')
  await screen.findByText('The page could not be loaded')
  expectGone(screen.queryByText('Coins wait.'))
})
