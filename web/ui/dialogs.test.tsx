import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import type { User } from '#contract/users.ts'
import { ApiError } from '#web/lib/api.ts'
import { readDraft } from '#web/lib/drafts.ts'
import { readLastSession } from '#web/lib/last-session.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  render,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { aUser } from '#web/testing/records.ts'
import { confirm, DialogHost, prompt, showMessage } from '#web/ui/dialogs.tsx'
import { nativeDialogs } from '#web/ui/native-dialogs.ts'

test('a confirmation puts the focus on Cancel, so that Enter does no harm', async () => {
  render(<DialogHost />)
  const result = confirm({ title: 'Delete it?', confirmLabel: 'Delete', danger: true })
  await dialog('Delete it?')
  await until(() => expectFocus(button('Cancel')))
  await user.keyboard('{Enter}')
  assert.equal(await result, false)
  await until(() => expectGone(screen.queryByRole('dialog')))
})

test('the focus goes to the content when the button that opened a dialog was removed', async () => {
  render(
    <main id="content" tabIndex={-1}>
      <button type="button" onClick={(event) => event.currentTarget.remove()}>
        {'Post'}
      </button>
      <DialogHost />
    </main>,
  )
  await user.click(button('Post'))
  const ended = showMessage({ title: 'Task Added' })
  await dialog('Task Added')
  await user.click(button('OK'))
  await ended
  await until(() => expectFocus(screen.getByRole('main')))
})

test('a confirmation resolves to true when it is confirmed', async () => {
  render(<DialogHost />)
  const result = confirm({ title: 'Delete it?', confirmLabel: 'Delete' })
  await dialog('Delete it?')
  await user.click(button('Delete'))
  assert.equal(await result, true)
})

test('Escape cancels a confirmation', async () => {
  render(<DialogHost />)
  const result = confirm({ title: 'Delete it?', confirmLabel: 'Delete' })
  await dialog('Delete it?')
  await user.keyboard('{Escape}')
  assert.equal(await result, false)
})

test('dialogs are shown one after the other, in the order in which they were asked for', async () => {
  render(<DialogHost />)
  const first = confirm({ title: 'First?', confirmLabel: 'Yes' })
  const second = showMessage({ title: 'Second' })
  await dialog('First?')
  expectGone(screen.queryByText('Second'))
  await user.click(button('Yes'))
  await first
  await dialog('Second')
  await user.click(button('OK'))
  await second
})

test('a message with a time closes automatically and has no button', async () => {
  render(<DialogHost />)
  const closed = showMessage({ title: 'Welcome', closeAfterMs: 1000 })
  const shown = await dialog('Welcome')
  expectGone(shown.querySelector('button'))
  await closed
})

const WHY = {
  title: 'Why?',
  label: 'Reason',
  maxLength: 100,
  requiredMessage: 'Give a reason',
  confirmLabel: 'Reject',
  draft: 'reject work-1',
}

/** Opens a prompt for a reason. */
async function openPrompt(submit: (reason: string) => Promise<unknown>): Promise<{ closed: Promise<void> }> {
  const closed = prompt({ ...WHY, submit })
  await dialog('Why?')
  return { closed }
}
const reason = () => (field(/Reason/) as HTMLTextAreaElement).value

test('a prompt without a text stays open and says what is missing', async () => {
  render(<DialogHost />)
  const sent: string[] = []
  const { closed } = await openPrompt(async (text) => sent.push(text))
  await until(() => expectFocus(field(/Reason/)))
  await user.keyboard('   ')
  await user.click(button('Reject'))
  await screen.findByText('Give a reason')
  await fill(field(/Reason/), '  Too short  ')
  await until(() => expectGone(screen.queryByText('Give a reason')))
  await user.click(button('Reject'))
  await closed
  assert.deepEqual(sent, ['Too short'])
})

test('a prompt whose request fails keeps the text, with the error beside it, until it was sent', async () => {
  render(<DialogHost />)
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const sent: string[] = []
  const { closed } = await openPrompt((text) => (sent.push(text) === 1 ? first : second).promise)
  await fill(field(/Reason/), 'Too short')
  await user.click(button('Reject'))
  await until(() => assert.deepEqual(sent, ['Too short']))
  // While its request is in flight, its outcome is to be shown.
  await user.keyboard('{Escape}')
  assert.ok((button('Cancel') as HTMLButtonElement).disabled)
  first.reject(new ApiError(0, 'offline', 'No connection.'))
  await screen.findByText('No connection.')
  assert.equal(reason(), 'Too short')
  await user.click(button('Reject'))
  await until(() => assert.deepEqual(sent, ['Too short', 'Too short']))
  second.resolve()
  await closed

  await openPrompt(async () => {})
  assert.equal(reason(), '')
})

test('the text of a prompt that was left is there when it is opened again', async () => {
  render(<DialogHost />)
  const sent: string[] = []
  const left = await openPrompt(async (text) => sent.push(text))
  await fill(field(/Reason/), 'Too short')
  await user.keyboard('{Escape}')
  await left.closed
  const refused = await openPrompt(async () => false)
  assert.equal(reason(), 'Too short')
  await user.click(button('Reject'))
  await refused.closed
  const cancelled = await openPrompt(async (text) => sent.push(text))
  assert.equal(reason(), 'Too short')
  await user.click(button('Cancel'))
  await cancelled.closed
  assert.deepEqual(sent, [])
})

test('a prompt closes when another user signs in, who does not get its text', async (t) => {
  const [ruma, hasan] = [aUser('Buyer'), aUser('Buyer', { email: 'hasan@example.com' })]
  const draftOf = ({ _id }: User) => readDraft<unknown>(`${WHY.draft} ${_id}`, null)
  const tab = new BroadcastChannel('session')
  t.after(() => tab.close())
  server.signIn(ruma)
  render(<DialogHost />)
  await until(() => assert.equal(readLastSession()?.user.id, ruma._id))
  const { closed } = await openPrompt(async () => {})
  await fill(field(/Reason/), 'Too short')
  server.signIn(hasan)
  tab.postMessage('changed')
  await until(() => assert.equal(readLastSession()?.user.id, hasan._id))
  assert.deepEqual([draftOf(ruma), draftOf(hasan)], [{ text: 'Too short' }, null])
  await closed
})

test("the browser's own prompt asks again, with the text and the error, until it was sent", async (t) => {
  const typed = ['Too short', 'Too short for a review']
  const asked: unknown[] = []
  const original = globalThis.prompt
  t.after(() => Object.assign(globalThis, { prompt: original }))
  Object.assign(globalThis, {
    prompt: (...shown: unknown[]) => {
      asked.push(shown)
      return typed[asked.length - 1] ?? null
    },
  })
  const sent: string[] = []
  await nativeDialogs.prompt({
    ...WHY,
    submit: async (text) => {
      if (sent.push(text) === 1) throw new ApiError(0, 'offline', 'No connection.')
    },
  })
  assert.deepEqual(sent, typed)
  assert.deepEqual(asked, [
    ['Why?\n\nReason', ''],
    ['No connection.\n\nWhy?\n\nReason', 'Too short'],
  ])
})
