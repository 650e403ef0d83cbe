import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  render,
  until,
  user,
} from '#web/testing/app.tsx'
import { confirm, DialogHost, prompt, showMessage } from '#web/ui/dialogs.tsx'

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

test('a prompt without a text stays open and says what is missing', async () => {
  render(<DialogHost />)
  const result = prompt({
    title: 'Why?',
    label: 'Reason',
    maxLength: 100,
    requiredMessage: 'Give a reason',
    confirmLabel: 'Reject',
  })
  await dialog('Why?')
  await until(() => expectFocus(field(/Reason/)))
  await user.keyboard('   ')
  await user.click(button('Reject'))
  await screen.findByText('Give a reason')
  await fill(field(/Reason/), '  Too short  ')
  expectGone(screen.queryByText('Give a reason'))
  await user.click(button('Reject'))
  assert.equal(await result, 'Too short')
})

test('a cancelled prompt resolves to null', async () => {
  render(<DialogHost />)
  const result = prompt({
    title: 'Why?',
    label: 'Reason',
    maxLength: 100,
    requiredMessage: 'Give a reason',
    confirmLabel: 'Reject',
  })
  await dialog('Why?')
  await fill(field(/Reason/), 'Never mind')
  await user.click(button('Cancel'))
  assert.equal(await result, null)
})
