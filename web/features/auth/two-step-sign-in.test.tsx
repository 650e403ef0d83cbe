import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { identity } from '#contract/auth.ts'
import {
  beginAuthenticator,
  confirmAuthenticator,
  type Factor,
  removeFactor,
  replaceRecoveryCodes,
  secondFactor,
} from '#contract/second-factor.ts'
import { accountActivity } from '#contract/security-log.ts'
import { sessions } from '#contract/sessions.ts'
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
import { anId, aUser } from '#web/testing/records.ts'

const CODES = ['abcd-efgh-ijkm-npqr', 'bcde-fghi-jkmn-pqrs']
const aFactor = (): Factor => ({
  _id: anId(),
  kind: 'authenticator',
  name: 'An English name of the server',
  createdAt: '2026-01-14T09:00:00.000Z',
  usedAt: null,
})
const serveFactors = (factors: Factor[], recoveryCodesLeft = factors.length > 0 ? 10 : 0) =>
  server.serve(secondFactor, { factors, recoveryCodesLeft, required: false })

async function openSecurity(factors: Factor[]) {
  const account = aUser('Worker')
  const { email, name } = account
  server.serve(identity, {
    email,
    name,
    emailVerified: true,
    hasPassword: true,
    hasSecondFactor: false,
    linkedTo: [],
  })
  server.serve(sessions, [])
  server.serveList(accountActivity, [])
  serveFactors(factors)
  await openApp('/dashboard/security', { as: account })
  await screen.findByRole('heading', { name: 'Two-step sign-in' })
  return within(screen.getByRole('region', { name: 'Two-step sign-in' }))
}

test('an authenticator app is added by its code, and the recovery codes are shown once', async () => {
  const section = await openSecurity([])
  const setup = {
    _id: anId(),
    secret: 'JBSWY3DPEHPK3PXP',
    uri: 'otpauth://totp/Tallywork:a?secret=JBSWY3DPEHPK3PXP',
  }
  server.serve(beginAuthenticator, setup)
  server.refuse(confirmAuthenticator, 'invalid_fields', 'Wrong.', { code: 'This code is wrong.' })
  await user.click(button('Add authenticator app'))
  await section.findByText('JBSW Y3DP EHPK 3PXP')
  await user.click(button('Cancel'))
  expectFocus(button('Add authenticator app'))
  await user.click(button('Add authenticator app'))
  await section.findByText('JBSW Y3DP EHPK 3PXP')
  await section.findByAltText('QR code for your authenticator app')
  await fill(field(/^code from the app/i), '000000')
  await user.click(button('Confirm'))
  await section.findByText('This code is wrong.')

  server.serve(confirmAuthenticator, { recoveryCodes: CODES })
  serveFactors([aFactor()])
  await fill(field(/^code from the app/i), '123456')
  await user.click(button('Confirm'))
  await section.findByText(CODES[0] ?? '')
  await section.findByText('Authenticator app')
  await user.click(button('I have saved them'))
  expectGone(section.queryByText(CODES[0] ?? ''))
})

test('an app whose confirmation was lost is listed, and its setup can be closed', async () => {
  const section = await openSecurity([])
  server.serve(beginAuthenticator, { _id: anId(), secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/a' })
  server.serve(confirmAuthenticator, () => {
    serveFactors([aFactor()])
    throw new TypeError('fetch failed')
  })
  await user.click(button('Add authenticator app'))
  await fill(await section.findByLabelText(/^code from the app/i), '123456')
  await user.click(button('Confirm'))
  await section.findByText('Authenticator app')
  await user.click(button('Cancel'))
  await section.findByRole('button', { name: 'New recovery codes' })
})

test('the last factor is removed after a warning', async () => {
  const factor = aFactor()
  const section = await openSecurity([factor])
  server.serve(removeFactor, () => void serveFactors([]))
  await user.click(button('Remove Authenticator app'))
  await dialog('Remove Authenticator app?')
  await screen.findByText(/Your recovery codes stop working/)
  await user.click(button('Remove'))
  await until(() => expectGone(section.queryByText('Authenticator app')))
  assert.equal(server.received(removeFactor).length, 1)
})

test('new recovery codes replace the old ones after a warning', async () => {
  const section = await openSecurity([aFactor()])
  server.serve(replaceRecoveryCodes, { recoveryCodes: CODES })
  await section.findByText('10 recovery codes left')
  await user.click(button('New recovery codes'))
  await user.click(button('Create new codes'))
  await section.findByText(CODES[1] ?? '')
})

test('a change whose response was lost may have been made: the list is read again', async () => {
  const section = await openSecurity([aFactor()])
  await section.findByText('10 recovery codes left')
  server.serve(replaceRecoveryCodes, () => {
    serveFactors([aFactor()], 9)
    throw new TypeError('fetch failed')
  })
  await user.click(button('New recovery codes'))
  await user.click(button('Create new codes'))
  await dialog('It is not known whether this was changed')
  await user.click(button('OK'))
  await section.findByText('9 recovery codes left')
  server.serve(removeFactor, () => {
    serveFactors([])
    throw new TypeError('fetch failed')
  })
  await user.click(button('Remove Authenticator app'))
  await dialog('Remove Authenticator app?')
  await user.click(button('Remove'))
  await dialog('It is not known whether this was changed')
  await user.click(button('OK'))
  await until(() => expectGone(section.queryByText('Authenticator app')))
})
