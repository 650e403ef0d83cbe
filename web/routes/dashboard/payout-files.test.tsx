import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  deletePayoutFileProfile,
  exportPayoutBatch,
  type PayoutFile,
  type PayoutFileProfile,
  payoutFileProfiles,
  payoutFilesOfBatch,
  savePayoutFileProfile,
} from '#contract/payout-files.ts'
import { listPayoutBatches, type PayoutBatch } from '#contract/payouts.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  fill,
  openApp,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

const ADMIN = anId()
const PROFILE: PayoutFileProfile = {
  _id: anId(),
  name: 'Sonali Bank',
  note: 'Upload it in the morning.',
  columns: [
    { header: 'Account', field: 'accountNumber', text: '', asText: true },
    { header: 'Type', field: 'fixed', text: 'SALARY', asText: false },
  ],
  version: 3,
  changedBy: 'Asha',
  changedById: ADMIN,
  changedAt: '2026-11-22T09:00:00.000Z',
}

test('an Admin maps the columns of a profile', async () => {
  server.serve(payoutFileProfiles, [PROFILE])
  server.serve(listPayoutBatches, [])
  server.serve(savePayoutFileProfile, { acknowledged: true, matchedCount: 1, modifiedCount: 1 })
  await openApp('/dashboard/payout-files', { as: aUser('Admin') })
  const card = within(await screen.findByRole('region', { name: 'Sonali Bank' }))
  card.getByText('"SALARY"')
  assert.equal(
    card.getByRole('link', { name: 'Asha' }).getAttribute('href'),
    `/dashboard/manage-users/${ADMIN}`,
  )

  await user.click(button('Edit Sonali Bank'))
  await user.click(button('Add column'))
  await user.click(button('Save profile'))
  await screen.findByText('Enter the heading of the column')
  const third = within(screen.getByRole('group', { name: 'Column 3' }))
  await fill(third.getByLabelText(/^heading/i), 'Account')
  await user.selectOptions(third.getByLabelText('Value'), 'Payment reference')
  await user.click(button('Save profile'))
  await screen.findByText('Two columns have the same heading')
  await fill(third.getByLabelText(/^heading/i), 'Narration')
  await user.click(button('Move column 3 up'))
  await user.click(button('Add column'))
  await user.click(button('Remove column 4'))
  expectFocus(button('Add column'))
  await user.click(button('Save profile'))
  await until(() => assert.equal(server.received(savePayoutFileProfile).length, 1))
  const { params, body } = server.received(savePayoutFileProfile)[0] ?? {}
  assert.equal(params?.id, PROFILE._id)
  assert.equal(body.version, 3)
  assert.deepEqual(
    body.columns.map(({ header, field }: { header: string; field: string }) => [header, field]),
    [
      ['Account', 'accountNumber'],
      ['Narration', 'reference'],
      ['Type', 'fixed'],
    ],
  )
  await screen.findByText('The profile Sonali Bank was saved.')
})

test('a refusal stays in the form, and a profile is deleted after a confirmation', async () => {
  server.serve(payoutFileProfiles, [PROFILE])
  server.serve(listPayoutBatches, [])
  server.refuse(savePayoutFileProfile, 'state_conflict', 'Another profile already has this name.')
  server.serve(deletePayoutFileProfile, { acknowledged: true })
  await openApp('/dashboard/payout-files', { as: aUser('Admin') })
  await user.click(await screen.findByRole('button', { name: 'New profile' }))
  await fill(screen.getByLabelText(/^name/i), 'Sonali Bank')
  await fill(screen.getByLabelText(/^heading/i), 'Amount')
  await user.click(button('Save profile'))
  await screen.findByText('Another profile already has this name.')
  await user.click(button('Cancel'))
  expectFocus(button('New profile'))

  server.serve(payoutFileProfiles, [])
  await user.click(button('Delete Sonali Bank'))
  await user.click(within(await dialog()).getByRole('button', { name: 'Delete' }))
  await until(() => expectGone(screen.queryByRole('region', { name: 'Sonali Bank' })))
  assert.equal(server.received(deletePayoutFileProfile).length, 1)
  await until(() => expectFocus(button('New profile')))
})

const BATCH: PayoutBatch = {
  _id: anId(),
  state: 'released',
  payment_system: 'Bkash',
  provider: null,
  createdBy: null,
  createdAt: '2026-11-22T09:00:00.000Z',
  checkedBy: null,
  checkedAt: null,
  releasedBy: null,
  releasedAt: '2026-11-22T09:00:00.000Z',
  exportedAt: null,
  reconciledAt: null,
  cancelledAt: null,
  counts: { queued: 0, sent: 2, confirmed: 0, failed: 0, unknown: 0, removed: 1 },
  coins: 400,
  cents: 2000,
  fileSha256: null,
}

test('the file of a batch has the profile that is shown, also after one was deleted or created', async () => {
  const other = { ...PROFILE, _id: anId(), name: 'Islami Bank' }
  let profiles = [PROFILE, other]
  server.serve(payoutFileProfiles, () => profiles)
  server.serve(listPayoutBatches, [BATCH])
  server.serve(payoutFilesOfBatch, [])
  server.serve(exportPayoutBatch, { acknowledged: true, insertedId: anId() })
  server.serve(deletePayoutFileProfile, ({ params }) => {
    profiles = profiles.filter(({ _id }) => _id !== params.id)
    return { acknowledged: true }
  })
  server.serve(savePayoutFileProfile, () => {
    profiles = [PROFILE]
    return { acknowledged: true, matchedCount: 1, modifiedCount: 1 }
  })
  const remove = async (name: string) => {
    await user.click(button(`Delete ${name}`))
    await user.click(within(await dialog()).getByRole('button', { name: 'Delete' }))
    await until(() => expectGone(screen.queryByRole('region', { name })))
  }
  const made = () => server.received(exportPayoutBatch).map(({ body }) => body.profileId)
  await openApp('/dashboard/payout-files', { as: aUser('Admin') })
  await user.selectOptions(await screen.findByLabelText('Columns'), 'Islami Bank')
  await remove('Islami Bank')
  await user.click(button('Create file'))
  await until(() => assert.deepEqual(made(), [PROFILE._id]))

  await remove('Sonali Bank')
  await user.click(button('New profile'))
  await fill(screen.getByLabelText(/^name/i), 'Sonali Bank')
  await fill(screen.getByLabelText(/^heading/i), 'Account')
  await user.click(button('Save profile'))
  await user.click(await screen.findByRole('button', { name: 'Create file' }))
  await until(() => assert.deepEqual(made(), [PROFILE._id, PROFILE._id]))
})

test('an Admin makes the file of a released batch, and is warned before a second one', async () => {
  const files: PayoutFile[] = []
  server.serve(payoutFileProfiles, [PROFILE])
  server.serve(listPayoutBatches, [BATCH])
  server.serve(payoutFilesOfBatch, () => files)
  server.serve(exportPayoutBatch, () => {
    files.push({
      _id: anId(),
      profile: 'Sonali Bank',
      sha256: 'a'.repeat(64),
      rows: 2,
      cents: 2000,
      poisha: 243_000,
      exportedBy: 'Asha',
      exportedById: ADMIN,
      exportedAt: '2026-11-22T10:00:00.000Z',
      stopped: [],
    })
    return { acknowledged: true, insertedId: anId() }
  })
  await openApp('/dashboard/payout-files', { as: aUser('Admin') })
  await screen.findByText(/in 2 payouts, released/)
  await user.click(await screen.findByRole('button', { name: 'Create file' }))
  await screen.findByText('Sonali Bank: 2 rows, $20.00, ৳2,430.00')
  await user.click(button('Create file'))
  const question = await dialog('Create another file?')
  within(question).getByText(/pays everyone twice/)
  await user.click(within(question).getByRole('button', { name: 'Cancel' }))
  assert.equal(server.received(exportPayoutBatch).length, 1)
})
