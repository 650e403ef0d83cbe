import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  blockWorker,
  type MyWorker,
  myWorkers,
  setFavouriteWorker,
  unblockWorker,
} from '#contract/my-workers.ts'
import { projects } from '#contract/projects.ts'
import {
  createQualification,
  deleteQualification,
  type Qualification,
  qualifications,
  removeQualificationTest,
  setQualificationTest,
  setQualifiedWorkers,
} from '#contract/qualifications.ts'
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
import { aListedProject } from '#web/testing/batches.ts'
import { anId, aUser } from '#web/testing/records.ts'

function aMyWorker(change: Partial<MyWorker> = {}): MyWorker {
  return {
    worker: 'W3f2a9c01b7d',
    name: 'Rafiq Islam',
    submitted: 12,
    approved: 9,
    rejected: 1,
    lastAt: '2026-01-10T09:00:00.000Z',
    favourite: false,
    block: null,
    qualifications: [],
    earned: [],
    ...change,
  }
}

const BIRDS: Qualification = {
  _id: anId(),
  name: 'Knows birds',
  description: 'Name the birds of the test batch.',
  workers: 0,
  test: null,
  createdAt: '2026-01-10T09:00:00.000Z',
}

/** Opens the screen over a server that remembers what the buyer changes about one worker. */
async function openScreen(
  given: Partial<MyWorker> = {},
  own: Qualification[] | (() => Qualification[]) = [],
) {
  let worker = aMyWorker(given)
  const done = { acknowledged: true }
  server.serve(myWorkers, () => [worker])
  server.serve(qualifications, own)
  server.serve(setFavouriteWorker, ({ body }) => {
    worker = { ...worker, ...body }
    return done
  })
  server.serve(blockWorker, ({ body }) => {
    worker = { ...worker, block: { reason: body.reason, since: '2026-01-11T09:00:00.000Z' } }
    return done
  })
  server.serve(unblockWorker, () => {
    worker = { ...worker, block: null }
    return done
  })
  server.serve(setQualifiedWorkers, ({ params, body }) => {
    worker = { ...worker, qualifications: body.qualified ? [params.id ?? ''] : [] }
    return { changed: 1 }
  })
  const router = await openApp('/dashboard/my-workers', { as: aUser('Buyer') })
  await screen.findByRole('heading', { level: 1, name: 'My Workers' })
  return router
}

const row = async () => within(await screen.findByRole('article', { name: 'Rafiq Islam' }))

test('a worker is listed with their record, becomes a favourite, and is none again', async () => {
  await openScreen()
  const { getByText, getByRole } = await row()
  getByText(/12 submitted · 9 approved · 1 rejected · last/)
  getByText('W3f2a9c01b7d')
  await user.click(getByRole('button', { name: /^Favourite/ }))
  await until(() =>
    assert.equal(getByRole('button', { name: /^Favourite/ }).getAttribute('aria-pressed'), 'true'),
  )
  assert.deepEqual(server.received(setFavouriteWorker)[0]?.body, { favourite: true })
})

test('a block needs a reason, says what stays, and is ended', async () => {
  await openScreen()
  await user.click((await row()).getByRole('button', { name: /^Block/ }))
  const asked = within(await dialog('Block Rafiq Islam?'))
  asked.getByText(/reserved or submitted stays, and is reviewed and paid as usual/)
  await user.click(asked.getByRole('button', { name: 'Block' }))
  await asked.findByText('Enter the reason, which Admins can read')
  await fill(asked.getByLabelText(/^Reason/), 'The same text ten times')
  await user.click(asked.getByRole('button', { name: 'Block' }))
  await screen.findByText(/: The same text ten times$/)
  await user.click((await row()).getByRole('button', { name: /^Unblock/ }))
  await until(() => assert.equal(server.received(unblockWorker).length, 1))
  await until(() => expectGone(screen.queryByText(/: The same text ten times$/)))
})

test('a qualification is granted to a worker and revoked', async () => {
  await openScreen({}, [BIRDS])
  await user.selectOptions(
    (await row()).getByRole('combobox', { name: 'Grant a qualification to Rafiq Islam' }),
    'Knows birds',
  )
  const revoke = await screen.findByRole('button', { name: 'Revoke Knows birds from Rafiq Islam' })
  await user.click(revoke)
  await until(() =>
    assert.deepEqual(
      server.received(setQualifiedWorkers).map(({ body }) => body.qualified),
      [true, false],
    ),
  )
  await until(() => expectFocus(screen.getByRole('article', { name: 'Rafiq Islam' })))
})

test('the form of a qualification takes the focus, and leaves it in the section when it closes', async () => {
  await openScreen({}, [BIRDS])
  await user.click(button('New qualification'))
  await until(() => expectFocus(field(/^name( \*)?$/i)))
  await user.click(button('Cancel'))
  await until(() => expectFocus(screen.getByRole('region', { name: 'Qualifications' })))
})

test('a qualification is created, granted to a list of pseudonyms, and deleted', async () => {
  await openScreen({}, [BIRDS])
  server.serve(createQualification, BIRDS)
  await user.click(button('New qualification'))
  await user.click(button('Create qualification'))
  await screen.findByText('Enter a name')
  await fill(field(/^name( \*)?$/i), 'Reads handwriting')
  await fill(field(/^description/i), 'Transcribe the test batch.')
  await user.click(button('Create qualification'))
  await until(() =>
    assert.deepEqual(server.received(createQualification)[0]?.body, {
      name: 'Reads handwriting',
      description: 'Transcribe the test batch.',
    }),
  )
  await user.click(await screen.findByRole('button', { name: /^Grant/ }))
  await user.click(button('Grant'))
  await screen.findByText(/^Enter pseudonyms such as/)
  await fill(field(/^workers$/i), 'W3f2a9c01b7d W81c0de45a2; W81c0de45')
  await user.click(button('Revoke'))
  await screen.findByText('“W81c0de45a2” is not a pseudonym. Pseudonyms look like W3f2a9c01b7d.')
  assert.equal(server.received(setQualifiedWorkers).length, 0)
  await fill(field(/^workers$/i), ' W3f2a9c01b7d,\nW81c0de45a2f; W3f2a9c01b7d\n')
  await user.click(button('Grant'))
  await until(() =>
    assert.deepEqual(server.received(setQualifiedWorkers)[0]?.body, {
      workers: ['W3f2a9c01b7d', 'W81c0de45a2f'],
      qualified: true,
    }),
  )
  server.refuse(deleteQualification, 'state_conflict', 'An open task requires this qualification.')
  await user.click(await screen.findByRole('button', { name: /^Delete/ }))
  await user.click(within(await dialog('Delete Knows birds?')).getByRole('button', { name: 'Delete' }))
  await screen.findByText('An open task requires this qualification.')
  await user.click(button('OK'))
  await until(() => expectGone(screen.queryByRole('dialog')))
  server.serve(deleteQualification, undefined)
  server.serve(qualifications, [])
  await user.click(button(/^Delete/))
  await user.click(within(await dialog('Delete Knows birds?')).getByRole('button', { name: 'Delete' }))
  await until(() => expectGone(screen.queryByRole('button', { name: /^Delete/ })))
  await until(() => expectFocus(screen.getByRole('region', { name: 'Qualifications' })))
})

test('a test is set for a qualification, shown, and removed', async () => {
  const project = { _id: anId(), title: 'Name 20 birds' }
  const test = { project: project._id, projectTitle: project.title, answersMin: 10, percentMin: 90 }
  let birds = BIRDS
  server.serve(setQualificationTest, () => {
    birds = { ...BIRDS, test }
    return birds
  })
  server.serve(removeQualificationTest, () => {
    birds = BIRDS
    return birds
  })
  server.serveList(projects, [aListedProject(project)])
  await openScreen({}, () => [birds])
  await user.click(await screen.findByRole('button', { name: /^Test/ }))
  await user.click(button('Save'))
  await screen.findByText('Choose a project', { selector: 'p' })
  await screen.findByRole('option', { name: project.title })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Project' }), project.title)
  await fill(field(/^minimum answers/i), '10')
  await user.click(button('Save'))
  await screen.findByText(/after 10 answers, at least 90% correct/)
  assert.deepEqual(server.received(setQualificationTest)[0]?.body, {
    project: project._id,
    answersMin: 10,
    percentMin: 90,
  })
  await user.click(button(/^Test/))
  await user.click(await screen.findByRole('button', { name: 'Remove test' }))
  await until(() => expectGone(screen.queryByText(/from 10 answers on/)))
})

test('a worker who earned a qualification is listed with their right answers', async () => {
  const { _id } = BIRDS
  await openScreen({ qualifications: [_id], earned: [{ qualification: _id, right: 18, answers: 20 }] }, [
    BIRDS,
  ])
  const { getByText } = await row()
  getByText('Knows birds: earned with 18 of 20')
})

test('without workers the screen says when they appear', async () => {
  server.serve(myWorkers, [])
  await openApp('/dashboard/my-workers', { as: aUser('Buyer') })
  await screen.findByText(/a minute after their first submission to you/)
})
