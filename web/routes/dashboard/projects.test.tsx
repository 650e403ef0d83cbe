import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fireEvent, screen, within } from '@testing-library/react'
import { batches } from '#contract/batches.ts'
import {
  changeProject,
  createProject,
  type Project,
  project,
  projects,
  setProjectArchived,
} from '#contract/projects.ts'
import { queryClient } from '#web/lib/queries.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  setWidth,
  until,
  user,
} from '#web/testing/app.tsx'
import { aListedProject } from '#web/testing/batches.ts'
import { anId, aUser } from '#web/testing/records.ts'

const question = (number: number) => within(screen.getByRole('group', { name: `Question ${number}` }))

function aProject(change: Partial<Project> = {}): Project {
  return {
    _id: anId(),
    title: 'Describe shops',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a project
    instructions: 'Look at ${name} in ${city}.',
    pictureColumns: ['photo'],
    examples: [{ text: 'Open from 9 to 5', good: true }],
    form: {
      fields: [
        { type: 'text', name: 'hours', label: 'Opening hours', required: true },
        { type: 'choice', name: 'kind', label: 'Kind of shop', required: false, options: ['Food', 'Books'] },
      ],
    },
    category: 'data_entry',
    reward: 5,
    workersPerItem: 3,
    reviewHours: null,
    reservationMinutes: 60,
    version: 2,
    columns: ['name', 'city', 'photo'],
    createdAt: '2026-01-10T09:00:00.000Z',
    changedAt: '2026-01-11T09:00:00.000Z',
    archivedAt: null,
    ...change,
  }
}

test('projects are listed on a phone, thirty of them too, and none is explained', async () => {
  setWidth(390)
  server.serveList(projects, [])
  const router = await openApp('/dashboard/projects', { as: aUser('Buyer') })
  await screen.findByText('No projects yet')
  screen.getByText(/upload a CSV file with one item per row/)
  assert.equal(screen.getAllByRole('link', { name: 'New project' }).length, 1)
  const long = `Shops of Mst. Kamrunnahar Begum Chowdhury of Brahmanbaria ${'long-name-'.repeat(8)}`
  server.serveList(projects, [
    aListedProject({ title: long }),
    ...Array.from({ length: 29 }, (_, index) => aListedProject({ title: `Project ${index}` })),
  ])
  await router.navigate('/dashboard/projects?archived=true')
  const list = within(await screen.findByRole('list', { name: 'Projects, newest first' }))
  assert.equal(list.getAllByRole('listitem').length, 20)
  list.getByRole('link', { name: long })
  list.getAllByText('5 coins per item · 3 workers per item')
  await user.click(button('Load more'))
  await until(() => assert.equal(list.getAllByRole('listitem').length, 30))
  assert.equal(server.received(projects).at(-1)?.query.archived, 'true')
})

test('projects show the work on their batches, and are searched by name', async () => {
  const paid = { batches: 3, items: 40, slots: 120, done: 60, pending: 1000, reserved: 12, escrow: 300 }
  server.serveList(projects, [
    aListedProject({ title: 'Paid', work: paid }),
    aListedProject({ title: 'To pay', work: { batches: 2, unpaidBatches: 1, failedBatches: 1 } }),
    aListedProject({ title: 'New' }),
  ])
  await openApp('/dashboard/projects', { as: aUser('Buyer') })
  const table = await screen.findByRole('table', { name: 'Projects, newest first' })
  const texts = within(table)
    .getAllByRole('row')
    .map(({ textContent }) => textContent ?? '')
  assert.match(texts[1] ?? '', /1,000\+ to review · 60 of 120 done · 12 in progress/)
  assert.match(texts[1] ?? '', /40\D*3 batches\D*300 coins/)
  assert.match(texts[2] ?? '', /1 file ready to pay1 file has errors/)
  assert.match(texts[3] ?? '', /No work yet/)

  server.serveList(projects, [])
  await fill(field('Search your projects'), '  shops ')
  await screen.findByText('No projects match your search.')
  assert.equal(server.received(projects).at(-1)?.query.q, 'shops')
  server.serveList(projects, [aListedProject({ title: 'Paid' })])
  await user.click(screen.getByRole('link', { name: 'Show all projects' }))
  await screen.findByRole('link', { name: 'Paid' })
  await until(() => assert.equal((field('Search your projects') as HTMLInputElement).value, ''))
})

test('a list of projects that did not load is shown after a retry', async () => {
  server.refuse(projects, 'internal', 'The list is not available.')
  await openApp('/dashboard/projects', { as: aUser('Buyer') })
  const alert = await screen.findByRole('alert')
  server.serveList(projects, [aListedProject({ title: 'Describe streets' })])
  await user.click(within(alert).getByRole('button'))
  await screen.findByRole('link', { name: 'Describe streets' })
})

test('the next rows are those of the list that is shown, however quickly they are asked for', async () => {
  server.serveList(projects, [])
  const router = await openApp('/dashboard/projects', { as: aUser('Buyer') })
  await screen.findByText('No projects yet')
  server.serveList(
    projects,
    Array.from({ length: 30 }, (_, index) => aListedProject({ title: `Row ${index + 1}` })),
  )
  // Presses the button in the moment that it appears, before the effects of the render have run.
  const pressed = new MutationObserver(() => {
    const loadMore = screen.queryByRole('button', { name: 'Load more' })
    if (loadMore === null) return
    pressed.disconnect()
    loadMore.click()
  })
  pressed.observe(document.body, { childList: true, subtree: true })
  await router.navigate('/dashboard/projects?archived=true')
  await until(() => assert.equal(screen.queryAllByText(/^Row \d+$/).length, 30))
})

test('a project is created with questions and their rules, and names in files come from the questions', async () => {
  const router = await openApp('/dashboard/projects/new', { as: aUser('Buyer') })
  await user.click(await screen.findByRole('button', { name: 'Create project' }))
  await until(() => expectFocus(field(/^title/i)))
  await fill(field(/^title/i), 'Describe shops')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a project
  await fill(field(/^instructions/i), 'Look at ${name} in ${city}.')
  screen.getByText('Columns that your file needs: name, city')
  await fill(field(/^picture columns/i), 'photo\nfront')
  await fill(field(/^pay per item/i), '5')
  await fill(field(/^workers per item/i), '3')

  await fill(question(1).getByLabelText(/^question/i), 'How many floors?')
  await user.selectOptions(question(1).getByLabelText('Type'), 'number')
  await fill(question(1).getByLabelText('Smallest number'), '9')
  await fill(question(1).getByLabelText('Largest number'), '1')
  await user.click(question(1).getByLabelText('Whole numbers only'))
  await user.click(button('Add question'))
  await fill(question(2).getByLabelText(/^question/i), 'What does it sell?')
  await user.selectOptions(question(2).getByLabelText('Type'), 'choices')
  await fill(question(2).getByLabelText(/^options/i), 'Food')
  await user.click(button('Create project'))
  await screen.findByText('Enter at least two options')
  await fill(question(2).getByLabelText(/^options/i), 'Food\nBooks\n\nClothes')
  await until(() => expectGone(screen.queryByText('Enter at least two options')))
  await user.click(button('Create project'))
  await screen.findByText('The minimum is more than the maximum')
  await fill(question(1).getByLabelText('Smallest number'), '0')
  await user.click(button('Add example'))
  await fill(
    within(screen.getByRole('group', { name: 'Example 1' })).getByLabelText(/^text/i),
    'Three floors',
  )

  await fill(screen.getByLabelText('Minimum worker score'), '70')
  const created = aProject()
  server.serve(createProject, created)
  server.serve(project, created)
  server.serve(batches, [])
  await user.click(button('Create project'))
  await until(() => assert.equal(router.state.location.pathname, `/dashboard/projects/${created._id}`))
  assert.deepEqual(server.received(createProject)[0]?.body, {
    title: 'Describe shops',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a project
    instructions: 'Look at ${name} in ${city}.',
    pictureColumns: ['photo', 'front'],
    examples: [{ text: 'Three floors', good: true }],
    form: {
      fields: [
        {
          type: 'number',
          name: 'how_many_floors',
          label: 'How many floors?',
          required: true,
          min: 0,
          max: 1,
          whole: true,
        },
        {
          type: 'choices',
          name: 'what_does_it_sell',
          label: 'What does it sell?',
          required: true,
          options: ['Food', 'Books', 'Clothes'],
        },
      ],
    },
    category: 'local',
    reward: 5,
    workersPerItem: 3,
    reviewHours: null,
    reservationMinutes: 60,
    quality: { leastScore: 70, scoreAfter: 5, approveShare: null },
  })
  assert.equal(
    localStorage.length > 0 && Object.keys(localStorage).some((key) => key.includes('new-project')),
    false,
  )
})

test('questions are moved by keyboard, and the focus moves with them', async () => {
  await openApp('/dashboard/projects/new', { as: aUser('Buyer') })
  await screen.findByRole('group', { name: 'Question 1' })
  await fill(question(1).getByLabelText(/^question/i), 'First')
  await user.click(button('Add question'))
  const second = question(2).getByLabelText(/^question/i)
  await fill(second, 'Second')
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
  assert.equal((question(1).getByLabelText(/^question/i) as HTMLInputElement).value, 'Second')
  expectFocus(second)
  screen.getByText('Question 2 is now question 1.')
  await user.click(button('Move question 1 down'))
  assert.equal((question(2).getByLabelText(/^question/i) as HTMLInputElement).value, 'Second')
  await user.click(button('Remove question 1'))
  assert.equal((question(1).getByLabelText(/^question/i) as HTMLInputElement).value, 'Second')
  assert.equal((button('Remove question 1') as HTMLButtonElement).disabled, true)
  expectFocus(button('Add question'))
})

test('the focus goes to the button that adds an example when one was removed', async () => {
  await openApp('/dashboard/projects/new', { as: aUser('Buyer') })
  await user.click(await screen.findByRole('button', { name: 'Add example' }))
  await user.click(button('Remove example 1'))
  expectGone(screen.queryByRole('group', { name: 'Example 1' }))
  expectFocus(button('Add example'))
})

test('what is typed is kept, also when the page is closed', async () => {
  const router = await openApp('/dashboard/projects/new', { as: aUser('Buyer') })
  await fill(await screen.findByLabelText(/^title/i), 'Half a project')
  await user.click(button('Add question'))
  server.serveList(projects, [])
  await router.navigate('/dashboard/projects')
  await user.click(await screen.findByRole('link', { name: 'New project' }))
  assert.equal(((await screen.findByLabelText(/^title/i)) as HTMLInputElement).value, 'Half a project')
  question(2)
})

test('the preview shows an item with values to try, and every kind of question', async () => {
  const common = { required: false } as const
  const shown = aProject({
    pictureColumns: ['photo'],
    form: {
      fields: [
        { ...common, type: 'text', name: 'a', label: 'Short', maxLength: 20 },
        { ...common, type: 'long_text', name: 'b', label: 'Long' },
        { ...common, type: 'number', name: 'c', label: 'Count', min: 0.5, max: 9 },
        { ...common, type: 'choice', name: 'd', label: 'Kind', options: ['Food', 'Books'] },
        { ...common, type: 'choices', name: 'e', label: 'Goods', options: ['Rice', 'Tea'], min: 1 },
        { ...common, type: 'link', name: 'f', label: 'Website' },
        { ...common, type: 'picture', name: 'g', label: 'Photos', max: 2 },
      ],
    },
  })
  server.serve(project, shown)
  server.serve(batches, [])
  await openApp(`/dashboard/projects/${shown._id}`, { as: aUser('Buyer') })
  const preview = within(await screen.findByRole('region', { name: 'Preview' }))
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a project
  preview.getByText('Look at ${name} in ${city}.')
  await fill(preview.getByLabelText('name'), 'Rupali Store')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a project
  await fill(preview.getByLabelText('city'), '${name}')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a value is never a template
  preview.getByText('Look at Rupali Store in ${name}.')
  await fill(preview.getByLabelText('photo'), 'https://example.com/shop.jpg')
  const photo = preview.getByRole('img', { name: 'photo' })
  assert.equal(photo.getAttribute('src'), '/images/foreign?url=https%3A%2F%2Fexample.com%2Fshop.jpg')
  preview.getByText('Pictures of other sites are loaded for the items of a file. Upload one to see them.')
  fireEvent.error(photo)
  await preview.findByRole('link', { name: 'photo: this picture could not be loaded' })
  preview.getByText('Open from 9 to 5')
  for (const text of [
    'At most 20 characters.',
    'From 0.5 to 9.',
    'At least 1 option.',
    'At most 2 pictures.',
  ])
    preview.getByText(text)
  await user.click(preview.getByLabelText('Books'))
  await user.click(preview.getByLabelText('Tea'))
  await fill(preview.getByLabelText('Count'), '4')
  assert.equal((preview.getByLabelText('Tea') as HTMLInputElement).checked, true)
  preview.getByRole('button', { name: 'Upload pictures: Photos' })
})

test('a change makes a version and names the one that was read; its refusals are shown at the question', async () => {
  const shown = aProject({ pictureColumns: ['photo, front', 'back'] })
  server.serve(project, shown)
  await openApp(`/dashboard/projects/${shown._id}/edit`, { as: aUser('Buyer') })
  assert.equal(((await screen.findByLabelText(/^title/i)) as HTMLInputElement).value, 'Describe shops')
  assert.equal((question(2).getByLabelText(/^options/i) as HTMLTextAreaElement).value, 'Food\nBooks')
  await fill(question(1).getByLabelText('Pattern'), '(')
  server.refuse(changeProject, 'invalid_fields', 'Not a pattern.', {
    'form.fields.0.pattern': 'This is not a regular expression.',
  })
  await user.click(button('Save changes'))
  await question(1).findByText('This is not a regular expression.')
  server.refuse(changeProject, 'state_conflict', 'This project has changed in the meantime.')
  await fill(question(1).getByLabelText('Pattern'), String.raw`\d+`)
  await user.click(button('Save changes'))
  await screen.findByText('This project has changed in the meantime.')
  server.serve(changeProject, { ...shown, version: 3 })
  server.serve(batches, [])
  await user.click(button('Save changes'))
  await screen.findByText('Version 3 of the project was saved.')
  const body = server.received(changeProject).at(-1)?.body
  assert.deepEqual(
    [body.version, body.form.fields[0].pattern, body.form.fields[0].name, body.pictureColumns],
    [2, String.raw`\d+`, 'hours', ['photo, front', 'back']],
  )
})

test('the form starts from what another device saved meanwhile', async () => {
  const shown = aProject()
  server.serve(project, shown)
  server.serve(batches, [])
  const router = await openApp(`/dashboard/projects/${shown._id}`, { as: aUser('Buyer') })
  await screen.findByRole('heading', { name: 'Describe shops', level: 1 })
  server.serve(project, { ...shown, title: 'Describe streets', version: 3 })
  await router.navigate(`/dashboard/projects/${shown._id}/edit`)
  const title = (await screen.findByLabelText(/^title/i)) as HTMLInputElement
  assert.equal(title.value, 'Describe streets')
  server.serve(changeProject, { ...shown, version: 4 })
  await user.click(button('Save changes'))
  await screen.findByText('Version 4 of the project was saved.')
  assert.equal(server.received(changeProject)[0]?.body.version, 3)
})

test('a form starts from nothing that was read before it was opened, also when it cannot be read again', async () => {
  const shown = aProject()
  server.serve(project, shown)
  server.serve(batches, [])
  const router = await openApp(`/dashboard/projects/${shown._id}`, { as: aUser('Buyer') })
  await screen.findByRole('heading', { name: 'Describe shops', level: 1 })
  server.refuse(project, 'internal', 'The project is not available.')
  await router.navigate(`/dashboard/projects/${shown._id}/edit`)
  await screen.findByText('The project is not available.')
  expectGone(screen.queryByLabelText(/^title/i))
})

test('after a conflict what was typed can be discarded for what another device saved, whose version is edited then', async () => {
  const shown = aProject()
  server.serve(project, shown)
  await openApp(`/dashboard/projects/${shown._id}/edit`, { as: aUser('Buyer') })
  const title = () => field(/^title/i) as HTMLInputElement
  await fill(await screen.findByLabelText(/^title/i), 'Typed here')
  server.serve(project, { ...shown, title: 'Describe streets', version: 3 })
  await queryClient.invalidateQueries()
  server.refuse(changeProject, 'state_conflict', 'This project has changed in the meantime.')
  await user.click(button('Save changes'))
  await screen.findByText('This project has changed in the meantime.')
  screen.getByText(/^Version 2 of “Describe shops”/)
  server.serve(project, { ...shown, title: 'Describe roads', version: 4 })
  await user.click(await screen.findByRole('button', { name: 'Discard them' }))
  await screen.findByText(/^Version 4 of “Describe roads”/)
  assert.equal(title().value, 'Describe roads')
  server.serve(batches, [])
  server.serve(changeProject, { ...shown, version: 5 })
  await user.click(button('Save changes'))
  await screen.findByText('Version 5 of the project was saved.')
  assert.equal(server.received(changeProject).at(-1)?.body.version, 4)
})

test('a form of a project that did not load is shown after a retry', async () => {
  const shown = aProject()
  server.refuse(project, 'internal', 'The project is not available.')
  await openApp(`/dashboard/projects/${shown._id}/edit`, { as: aUser('Buyer') })
  const alert = await screen.findByRole('alert')
  server.serve(project, shown)
  await user.click(within(alert).getByRole('button'))
  await screen.findByLabelText(/^title/i)
})

test('a project is archived after a question, and brought back', async () => {
  setWidth(390)
  const shown = aProject()
  server.serve(project, shown)
  server.serve(batches, [])
  await openApp(`/dashboard/projects/${shown._id}`, { as: aUser('Buyer') })
  server.serve(setProjectArchived, { ...shown, archivedAt: '2026-01-12T09:00:00.000Z' })
  await user.click(await screen.findByRole('button', { name: 'Archive project' }))
  await user.click(within(await dialog('Archive this project?')).getByRole('button', { name: 'Archive' }))
  await screen.findByRole('button', { name: 'Restore' })
  server.serve(setProjectArchived, shown)
  await user.click(button('Restore'))
  await screen.findByRole('button', { name: 'Archive project' })
  assert.deepEqual(
    server.received(setProjectArchived).map(({ body }) => body.archived),
    [true, false],
  )
})
