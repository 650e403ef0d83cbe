import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { type SavedTaskFilter, setTaskFilters, taskFilters } from '#contract/task-filters.ts'
import { taskListWorker } from '#contract/tasks.ts'
import { readPreference, writePreference } from '#web/lib/preference.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { aTask, aUser } from '#web/testing/records.ts'

const last = () => server.received(taskListWorker).at(-1)?.query ?? {}
const worker = aUser('Worker')

async function open(search = '') {
  server.serveList(taskListWorker, [
    aTask({ task_title: 'Translate a menu', createdAt: '2026-02-10T09:00:00.000Z' }),
    aTask({ task_title: 'Draw a logo', createdAt: '2026-01-10T09:00:00.000Z' }),
  ])
  const router = await openApp(`/dashboard/available-task${search}`, { as: worker })
  await screen.findByRole('heading', { name: /Draw a logo/ })
  return router
}

test('the text of a batch shows its variables in brackets, that of a task as it is', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of a project
  const task_detail = 'Look at ${name} in ${city}.'
  server.serveList(taskListWorker, [
    aTask({ task_title: 'Opening hours', isBatch: true, task_detail }),
    aTask({ task_title: 'About templates', task_detail }),
  ])
  await openApp('/dashboard/available-task', { as: worker })
  await screen.findByText('Look at [name] in [city].')
  screen.getByText(task_detail)
})

test('the list is filtered by category', async () => {
  await open()
  await user.selectOptions(field('Category'), 'Translation')
  await until(() => assert.equal(last().category, 'translation'))
})

test('on a phone the filters are behind a button that counts those in use', async () => {
  await open('?category=translation&pay_min=10&sort=pay')
  const filters = button('Filters 2 in use')
  const controls = document.getElementById(filters.getAttribute('aria-controls') ?? '')
  assert.equal(filters.getAttribute('aria-expanded'), 'false')
  assert.equal(controls?.hasAttribute('data-closed'), true)
  filters.focus()
  await user.keyboard('{Enter}')
  assert.equal(filters.getAttribute('aria-expanded'), 'true')
  assert.equal(controls?.hasAttribute('data-closed'), false)
  await user.selectOptions(field('Category'), 'All categories')
  await screen.findByRole('button', { name: 'Filters 1 in use' })
})

/** Serves the saved filters as the server does. */
function serveFilters(filters: SavedTaskFilter[]): void {
  let saved = { filters }
  server.serve(taskFilters, () => saved)
  server.serve(setTaskFilters, ({ body }) => {
    saved = body
    return saved
  })
}
const namesOf = (received: ReturnType<typeof server.received>) =>
  received.map(({ body }) => body.filters.map(({ name }: SavedTaskFilter) => name))

test('a filter is saved under a name, applied with one click, and deleted', async () => {
  serveFilters([])
  const router = await open('?category=translation&pay_min=10')
  await user.click(await screen.findByRole('button', { name: 'Save this filter' }))
  const form = await dialog('Save this filter')
  await fill(within(form).getByLabelText(/^name/i), 'Translations')
  await user.click(within(form).getByRole('button', { name: 'Save' }))
  const link = await screen.findByRole('link', { name: 'Translations' })
  assert.deepEqual(server.received(setTaskFilters)[0]?.body, {
    filters: [{ name: 'Translations', category: 'translation', pay_min: 10, sort: 'newest' }],
  })
  await user.selectOptions(field('Category'), 'All categories')
  await until(() => assert.equal(last().category, undefined))
  await user.click(link)
  await until(() => assert.equal((field('Category') as HTMLSelectElement).value, 'translation'))
  assert.match(router.state.location.search, /pay_min=10/)
  await user.click(button('Delete the filter Translations'))
  await until(() => expectGone(screen.queryByRole('link', { name: 'Translations' })))
  assert.deepEqual(server.received(setTaskFilters)[1]?.body, { filters: [] })
})

test('the name of a filter that is not saved stays, with the reason', async () => {
  serveFilters([])
  server.refuse(setTaskFilters, 'too_many_requests', 'Please wait a moment.')
  await open('?category=translation')
  await user.click(await screen.findByRole('button', { name: 'Save this filter' }))
  const form = within(await dialog('Save this filter'))
  await fill(form.getByLabelText(/^name/i), 'Translations')
  await user.click(form.getByRole('button', { name: 'Save' }))
  await form.findByText('Please wait a moment.')
  serveFilters([])
  await user.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByRole('link', { name: 'Translations' })
})

test('filters that are deleted quickly one after the other are all deleted', async () => {
  serveFilters(['First', 'Second', 'Third'].map((name, at) => ({ name, pay_min: at + 1, sort: 'newest' })))
  await open()
  await screen.findByRole('link', { name: 'First' })
  const held = server.hold(setTaskFilters)
  await user.click(button('Delete the filter First'))
  await user.click(await screen.findByRole('button', { name: 'Delete the filter Second' }))
  held.release()
  await until(() =>
    assert.deepEqual(namesOf(server.received(setTaskFilters)), [['Second', 'Third'], ['Third']]),
  )
  await until(() => expectGone(screen.queryByRole('link', { name: 'Second' })))
  expectFocus(screen.getByRole('list', { name: 'Saved filters' }))
})

test('a filter is offered to be saved only when the earlier ones are known', async () => {
  serveFilters([{ name: 'First', pay_min: 1, sort: 'newest' }])
  const held = server.hold(taskFilters)
  await open('?category=translation')
  expectGone(screen.queryByRole('button', { name: 'Save this filter' }))
  held.release()
  await user.click(await screen.findByRole('button', { name: 'Save this filter' }))
  const form = await dialog('Save this filter')
  await fill(within(form).getByLabelText(/^name/i), 'Translations')
  await user.click(within(form).getByRole('button', { name: 'Save' }))
  await until(() => assert.deepEqual(namesOf(server.received(setTaskFilters)), [['First', 'Translations']]))
})

test('a filter that another device has saved meanwhile stays when one is deleted', async () => {
  const [first, second] = ['First', 'Second'].map((name, at) => ({
    name,
    pay_min: at + 1,
    sort: 'newest' as const,
  }))
  assert.ok(first && second)
  serveFilters([first])
  await open()
  await screen.findByRole('link', { name: 'First' })
  serveFilters([first, second])
  await user.click(button('Delete the filter First'))
  await screen.findByRole('link', { name: 'Second' })
  assert.deepEqual(namesOf(server.received(setTaskFilters)), [['Second']])
})

test('saved filters of another device are listed', async () => {
  server.serve(taskFilters, { filters: [{ name: 'Well paid', pay_min: 50, sort: 'pay' }] })
  await open()
  const link = await screen.findByRole('link', { name: 'Well paid' })
  assert.equal(link.getAttribute('href')?.split('?')[1], 'pay_min=50&sort=pay')
})

test('the browser remembers the order and the density that were chosen', async () => {
  await open()
  await user.selectOptions(field('Sort by'), 'Highest pay first')
  await until(() => assert.equal(last().sort, 'pay'))
  await user.click(button('List'))
  assert.deepEqual([readPreference('task-sort'), readPreference('task-density')], ['pay', 'list'])
})

test('a list has the remembered order and density', async () => {
  writePreference('task-sort', 'pay')
  writePreference('task-density', 'list')
  await open()
  assert.equal(last().sort, 'pay')
  assert.equal(button('List').getAttribute('aria-pressed'), 'true')
})

test('on a first visit no task is marked as new', async () => {
  await open()
  expectGone(screen.queryByText('New'))
})

test('tasks posted since the last visit are marked as new', async () => {
  writePreference(`visit tasks ${worker._id}`, ` ${Date.parse('2026-02-01T00:00:00.000Z')}`)
  await open('?sort=deadline')
  const mark = await screen.findByText('New')
  assert.match(mark.closest('article')?.textContent ?? '', /Translate a menu/)
})
