import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  addDestination,
  changeDestination,
  type Destination,
  listDestinations,
  removeDestination,
} from '#contract/destinations.ts'
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
import { aDestination, aUser } from '#web/testing/records.ts'

async function openScreen(...destinations: Destination[]) {
  let live = destinations
  server.serve(listDestinations, () => live)
  server.serve(addDestination, ({ body }) => {
    const added = aDestination({ ...body, state: 'unverified', verifiedAt: null })
    live = [added, ...live]
    return added
  })
  server.serve(changeDestination, ({ params, body }) => {
    const added = aDestination({ ...body, state: 'unverified', verifiedAt: null })
    live = [added, ...live.filter(({ _id }) => _id !== params.id)]
    return added
  })
  server.serve(removeDestination, ({ params }) => {
    live = live.filter(({ _id }) => _id !== params.id)
    return undefined
  })
  await openApp('/dashboard/payout-destinations', { as: aUser('Worker') })
  await screen.findByRole('heading', { level: 1, name: 'Payout Destinations' })
}

test('the first destination is added', async () => {
  await openScreen()
  await user.click(button('Add destination'))
  await user.selectOptions(field(/^payment system/i), 'Nagad')
  await fill(field(/^account number/i), '01812345678')
  await fill(field(/^account holder/i), 'Ruma Akter')
  await user.click(button('Save destination'))
  await screen.findByText('Not verified')
  await until(() => expectFocus(button('Add destination')))
  assert.deepEqual(server.received(addDestination)[0]?.body, {
    payment_system: 'Nagad',
    accountNumber: '01812345678',
    holderName: 'Ruma Akter',
  })
})

test('a bank account has a bank and a routing number, whose check digit is a warning', async () => {
  await openScreen()
  await user.click(button('Add destination'))
  await user.selectOptions(field(/^payment system/i), 'Bank')
  await fill(field(/^account number/i), '0012345678')
  await fill(field(/^account holder/i), 'Ruma Akter')
  await user.click(button('Save destination'))
  await screen.findByText('Bank is required')
  assert.equal(server.received(addDestination).length, 0)
  await fill(field(/^bank/i), 'Sonali Bank')
  await fill(field(/^routing number/i), '145261189')
  await screen.findByText(/does not look like a routing number/)
  await user.click(button('Save destination'))
  await until(() => assert.equal(server.received(addDestination).length, 1))
  const { bankName, routingNumber, branch } = server.received(addDestination)[0]?.body ?? {}
  assert.deepEqual([bankName, routingNumber, branch], ['Sonali Bank', '145261189', undefined])
})

test('a destination is changed and removed', async () => {
  await openScreen(aDestination(), aDestination({ accountNumber: '01912345678' }))
  await user.click(button('Change bKash 01712345678'))
  assert.equal((field(/^account number/i) as HTMLInputElement).value, '01712345678')
  await fill(field(/^account number/i), '01512345678')
  await user.click(button('Save destination'))
  await screen.findByText('01512345678')
  expectGone(screen.queryByText('01712345678'))
  await user.click(button('Remove bKash 01912345678'))
  await user.click(within(await dialog()).getByRole('button', { name: 'Remove' }))
  await until(() => expectGone(screen.queryByText('01912345678')))
  await until(() => expectFocus(button('Add destination')))
  await user.click(button('Change bKash 01512345678'))
  await user.click(button('Cancel'))
  expectFocus(button('Add destination'))
})

test('a refused destination stays in the form', async () => {
  await openScreen()
  server.refuse(addDestination, 'state_conflict', 'You already have a payout destination with this account.')
  await user.click(button('Add destination'))
  await fill(field(/^account number/i), '01812345678')
  await fill(field(/^account holder/i), 'Ruma Akter')
  await user.click(button('Save destination'))
  await screen.findByText('You already have a payout destination with this account.')
  assert.equal((field(/^account number/i) as HTMLInputElement).value, '01812345678')
})

test('five are the most, and one that waits says until when', async () => {
  const five = Array.from({ length: 5 }, (_, index) => aDestination({ accountNumber: `0171234567${index}` }))
  await openScreen(...five.slice(1), aDestination({ usableAt: '2999-01-01T00:00:00.000Z' }))
  screen.getByText(/You can withdraw to it from .* 2999/)
  expectGone(screen.queryByRole('button', { name: 'Add destination' }))
})
