import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { userDetails } from '#contract/users.ts'
import { PackageGrid } from '#web/features/payments/package-grid.tsx'
import { button, dialog, expectFocus, expectGone, render, server, until, user } from '#web/testing/app.tsx'
import { aUser } from '#web/testing/records.ts'
import { DialogHost } from '#web/ui/dialogs.tsx'

const REQUIRED = 'You Need Buyer Account'

function show() {
  return render(
    <>
      <PackageGrid />
      <DialogHost />
    </>,
  )
}

test('a visitor who chooses a package is offered to register as a Buyer', async () => {
  const router = show()
  await user.click(button('Buy 500 coins'))
  const offered = within(await dialog(REQUIRED))
  await until(() => expectFocus(offered.getByRole('button', { name: 'Not now' })))
  await user.click(offered.getByRole('button', { name: 'Register' }))
  await until(() => assert.equal(router.state.location.pathname, '/sign-up'))
})

test('a Worker who chooses a package reads that it takes a Buyer, and stays', async () => {
  server.signIn(aUser('Worker'))
  const router = show()
  await user.click(button('Buy 500 coins'))
  const refused = within(await dialog(REQUIRED))
  assert.equal(refused.queryByRole('button', { name: 'Register' }), null)
  assert.equal(router.state.location.pathname, '/')
})

test('a Buyer who chooses a package continues to its payment, also when the session is not known yet', async () => {
  server.signIn(aUser('Buyer'))
  const router = show()
  await user.click(button('Buy 500 coins'))
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/purchase-coin/payment/20'))
})

test('a Buyer whose account did not load continues to the payment once it loads, and reads what failed until then', async () => {
  const buyer = aUser('Buyer')
  server.signIn(buyer)
  server.refuse(userDetails, 'too_many_requests')
  const router = show()
  await user.click(button('Buy 500 coins'))
  const failed = within(await dialog('Something went wrong!'))
  failed.getByText('Your account could not be loaded. Check your connection and try again.')
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))
  server.serve(userDetails, buyer)
  await user.click(button('Buy 500 coins'))
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/purchase-coin/payment/20'))
})

test('who has signed up without a profile is offered to complete it', async () => {
  server.signInUnregistered(aUser('Buyer'))
  const router = show()
  await user.click(button('Buy 500 coins'))
  const offered = within(await dialog(REQUIRED))
  await user.click(offered.getByRole('button', { name: 'Complete profile' }))
  await until(() => assert.equal(router.state.location.pathname, '/sign-up'))
})
