import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { audit } from '#contract/ledger.ts'
import { NOTIFICATION_TEXTS as BANGLA_NOTIFICATIONS } from '#contract/notification-texts.bn.ts'
import { NOTIFICATION_TEXTS } from '#contract/notification-texts.en.ts'
import {
  changeOperatorSetting,
  decideSettingProposal,
  OPERATOR_SETTINGS,
  type OperatorSetting,
  operatorSettings,
} from '#contract/operator-settings.ts'
import { adminFirstSteps } from '#contract/stats.ts'
import { waiting } from '#contract/waiting.ts'
import { SETTING_SECTIONS as BANGLA } from '#web/features/operator-settings/sections.bn.ts'
import { SETTING_SECTIONS } from '#web/features/operator-settings/sections.en.ts'
import { queryClient, queryKeyOf } from '#web/lib/queries.ts'
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
import { aUser } from '#web/testing/records.ts'

/** Every setting with its default, and with these values instead. */
function settings(values: Partial<Record<string, unknown>> = {}): OperatorSetting[] {
  return Object.entries(OPERATOR_SETTINGS).map(([name, setting]) => {
    const value = (values[name] ?? setting.default) as OperatorSetting['value']
    const change = {
      version: 1,
      value,
      changedBy: null,
      changedById: null,
      confirmedBy: null,
      confirmedById: null,
      changedAt: '2026-01-01T09:00:00.000Z',
      reason: 'Default',
    }
    return { name: name as OperatorSetting['name'], version: 1, value, changes: [change], proposal: null }
  })
}

const openSettings = async (values?: Partial<Record<string, unknown>>) => {
  server.serve(operatorSettings, settings(values))
  await openApp('/dashboard/settings', { as: aUser('Admin') })
  await screen.findByRole('form', { name: 'Coin packages' })
}
const form = (name: string) => screen.getByRole('form', { name })

test('every property of every setting has a label', () => {
  for (const [name, setting] of Object.entries(OPERATOR_SETTINGS)) {
    const { fields = {} } = SETTING_SECTIONS[name] ?? {}
    const unlabelled = Object.keys(setting.default).filter((property) => fields[property] === undefined)
    assert.deepEqual(
      unlabelled,
      [],
      `${name}: add its texts to web/features/operator-settings/sections.en.ts`,
    )
  }
})

test('the settings have the same fields in every language, shown in the same way', () => {
  const shown = (sections: typeof SETTING_SECTIONS) =>
    Object.entries(sections).map(([name, { recommendation, fields }]) => [
      name,
      recommendation !== undefined,
      Object.entries(fields).map(([property, { kind, optional }]) => [property, kind, optional]),
    ])
  assert.deepEqual(shown(BANGLA), shown(SETTING_SECTIONS))
})

test('notifications about a setting name it as the screen does, in every language', () => {
  for (const [sections, texts] of [
    [SETTING_SECTIONS, NOTIFICATION_TEXTS],
    [BANGLA, BANGLA_NOTIFICATIONS],
  ] as const) {
    for (const [setting, { title }] of Object.entries(sections)) {
      const params = { admin: 'Asha', setting, reason: 'Test' }
      for (const text of [
        texts.setting_changed(params),
        texts.setting_change_proposed(params),
        texts.setting_change_decided({ admin: null, setting, state: 'confirmed' }),
      ])
        assert.match(text, new RegExp(`["“]${title}["”]`))
    }
  }
})

test('every setting with a recommended value says why', () => {
  for (const [name, setting] of Object.entries(OPERATOR_SETTINGS))
    assert.equal('recommended' in setting, SETTING_SECTIONS[name]?.recommendation !== undefined, name)
})

test('a changed setting is saved with its reason, based on the version that was shown', async () => {
  await openSettings()
  server.serve(changeOperatorSetting, { ...(settings()[1] as OperatorSetting), version: 2 })
  assert.ok((button('Save withdrawal rate') as HTMLButtonElement).disabled)
  await fill(field('Cents per coin'), '4')
  await user.click(button('Save withdrawal rate'))
  const asked = await dialog('Change withdrawal rate?')
  within(asked).getByText('4', { selector: 'strong' })
  await fill(within(asked).getByLabelText(/^reason/i), 'Cards cost more')
  await user.click(within(asked).getByRole('button', { name: 'Save changes' }))
  await until(() => assert.equal(server.received(changeOperatorSetting).length, 1))
  const [{ params, body } = { params: {}, body: {} }] = server.received(changeOperatorSetting)
  assert.deepEqual(
    [params, body],
    [{ name: 'withdrawal_rate' }, { value: { centsPerCoin: 4 }, version: 1, reason: 'Cards cost more' }],
  )
  await screen.findByText('Withdrawal rate saved.')
  // A pending change of the setting has lapsed.
  assert.equal(server.received(waiting).length, 2)
})

test('spaces around a text are discarded, and nothing is saved', async () => {
  await openSettings({ seller: { ...OPERATOR_SETTINGS.seller.default, legalName: 'Tally Ltd' } })
  const legalName = field('Legal name') as HTMLInputElement
  await fill(legalName, 'Tally Ltd ')
  await user.click(button('Save seller'))
  await until(() => assert.equal(legalName.value, 'Tally Ltd'))
  expectGone(screen.queryByRole('dialog'))
  assert.equal(server.received(changeOperatorSetting).length, 0)
})

test('recommended values are filled in, not saved, and show what they change', async () => {
  await openSettings()
  const section = screen.getByRole('region', { name: 'Coin packages' })
  within(section).getByText(/Brings \$33.68 after card fees and tax, pays out \$50.00: a loss of \$16.32/)
  await user.click(within(section).getByRole('button', { name: 'Fill in recommended values' }))
  await until(() => within(section).getByText(/pays out \$50.00: leaves/))
  assert.equal(server.received(changeOperatorSetting).length, 0)
  await user.click(within(form('Coin packages')).getByRole('button', { name: 'Discard changes' }))
  await until(() => within(section).getByText(/a loss of \$16.32/))
})

test('the margin of a package is without its tax, and the card fee of an added tax is part of it', async () => {
  const packages = {
    ...OPERATOR_SETTINGS.packages.default,
    packages: [{ coins: 1000, priceCents: 5500 }],
  }
  const vat = { ...OPERATOR_SETTINGS.seller.default, taxName: 'VAT', taxPercent: 15 }
  await openSettings({ packages, seller: vat })
  screen.getByText('Brings $45.93 after card fees and tax, pays out $50.00: a loss of $4.07')
  server.serve(operatorSettings, settings({ packages, seller: { ...vat, taxAdded: true } }))
  await queryClient.invalidateQueries({ queryKey: queryKeyOf(operatorSettings) })
  await screen.findByText('Brings $52.87 after card fees and tax, pays out $50.00: leaves $2.87')
})

test('a limit that leaves less than the minimum of a withdrawal is named beside both settings', async () => {
  await openSettings({ payout_limits: { firstPayoutCents: 2000, pairCents: 2500, destinationWaitHours: 0 } })
  const warned = () => screen.queryAllByText(/^The minimum of 200 coins pays/).map((text) => text.textContent)
  assert.deepEqual(warned(), [])
  await fill(field('Cents per coin'), '11')
  const first =
    'The minimum of 200 coins pays $22.00, which is above the maximum first payout. No new worker can withdraw.'
  await until(() => assert.deepEqual(warned(), [first]))
  await user.click(within(form('Withdrawal rate')).getByRole('button', { name: 'Discard changes' }))
  await until(() => assert.deepEqual(warned(), []))
  await fill(field(/^maximum from one buyer/i), '9.99')
  const pair =
    'The minimum of 200 coins pays $10.00, which is above the maximum from one buyer. Workers with one buyer cannot withdraw to a new account.'
  await until(() => assert.deepEqual(warned(), [pair]))
})

for (const secondAdmin of [false, true]) {
  test(`rules about two Admins are ${secondAdmin ? 'recommended to two Admins' : 'not recommended to one'}`, async () => {
    server.serve(adminFirstSteps, {
      cardPayments: true,
      seller: true,
      exchangeRate: true,
      secondAdmin,
      payoutRules: false,
      backupAt: null,
    })
    await openSettings()
    const offered = screen
      .getAllByRole('button', { name: 'Fill in recommended values' })
      .map((fill) => fill.closest('section')?.id)
    assert.deepEqual(
      ['payout_limits', 'refund_rules', 'payout_rules'].map((name) => offered.includes(name)),
      [true, secondAdmin, secondAdmin],
    )
    assert.deepEqual(
      screen
        .queryAllByRole('link', { name: 'Payouts with two Admins' })
        .map((link) => link.getAttribute('href')),
      secondAdmin ? ['#payout_rules'] : [],
    )
  })
}

/** Opens the screen with a change of the payout rules that waits for another Admin. */
async function openWithProposal(admin: ReturnType<typeof aUser>, proposedBy: { _id: string; name: string }) {
  const strict = { ...OPERATOR_SETTINGS.payout_rules.default, firstPayout: true }
  const proposal = {
    _id: randomUUID(),
    value: { ...strict, firstPayout: false },
    reason: 'Fewer clicks',
    proposedBy,
    proposedAt: '2026-01-01T09:00:00.000Z',
    effectiveAt: null,
  }
  const pending = settings({ payout_rules: strict }).map((setting) =>
    setting.name === 'payout_rules' ? { ...setting, proposal } : setting,
  )
  server.serve(operatorSettings, pending)
  server.serve(decideSettingProposal, pending[0] as OperatorSetting)
  await openApp('/dashboard/settings', { as: admin })
  return screen.findByRole('region', { name: 'Pending change: Payouts with two Admins' })
}

test('another Admin confirms a change that weakens a rule about Admins', async () => {
  const pending = await openWithProposal(aUser('Admin'), { _id: randomUUID(), name: 'Nadia' })
  server.serve(decideSettingProposal, () => {
    server.serve(operatorSettings, settings())
    return settings()[0] as OperatorSetting
  })
  within(pending).getByText('Off', { selector: 'strong' })
  within(pending).getByRole('link', { name: 'Nadia' })
  await user.click(within(pending).getByRole('button', { name: /^Confirm change/ }))
  await until(() => assert.equal(server.received(decideSettingProposal).length, 1))
  assert.deepEqual(server.received(decideSettingProposal)[0]?.body, { decision: 'confirm' })
  await until(() => expectGone(screen.queryByRole('region', { name: /^Pending change/ })))
  expectFocus(screen.getByRole('heading', { name: 'Payouts with two Admins' }))
})

test('who proposed a change of a rule about Admins can only withdraw it', async () => {
  const admin = aUser('Admin')
  const pending = await openWithProposal(admin, { _id: admin._id, name: admin.name })
  within(pending).getByText(/Another Admin has to confirm it/)
  assert.equal(within(pending).queryByRole('button', { name: /^Confirm/ }), null)
  await user.click(within(pending).getByRole('button', { name: /^Withdraw change/ }))
  await until(() => assert.equal(server.received(decideSettingProposal).length, 1))
  assert.deepEqual(server.received(decideSettingProposal)[0]?.body, { decision: 'withdraw' })
})

test('another Admin can reject a change of a rule about Admins', async () => {
  const pending = await openWithProposal(aUser('Admin'), { _id: randomUUID(), name: 'Nadia' })
  await user.click(within(pending).getByRole('button', { name: /^Reject change/ }))
  await screen.findByText(/: change rejected\.$/)
  assert.deepEqual(server.received(decideSettingProposal)[0]?.body, { decision: 'withdraw' })
})

test('packages can be added and removed, and an empty one is not sent', async () => {
  await openSettings()
  await user.click(button('Add package'))
  await user.click(button('Save coin packages'))
  await screen.findAllByText(/^Enter a whole number from/)
  await user.click(button('Remove package 5'))
  expectFocus(button('Add package'))
  await fill(field('Price of package 1'), '9.99')
  await user.click(button('Save coin packages'))
  within(await dialog()).getByText(/150 coins for \$9.99/)
})

test('dollars and fractions are typed as they are', async () => {
  await openSettings()
  const type = async (name: string, text: string) => {
    await user.clear(field(name))
    await user.type(field(name), text)
    return (field(name) as HTMLInputElement).value
  }
  assert.equal(await type('Price of package 1', '20.05'), '$20.05')
  assert.equal(await type('Price of package 1', '30'), '$30.00')
  assert.equal(await type('Price of package 1', '12.5'), '$12.50')
  assert.equal(await type('Card fee, percent', '3.5'), '3.5 %')
  assert.equal(await type('Card fee, fixed', '0.5'), '$0.50')
  await user.click(button('Save coin packages'))
  const asked = within(await dialog())
  asked.getByText(/^150 coins for \$12.50, 500 coins for \$20.00/, { selector: 'strong' })
  asked.getByText('3.5 %', { selector: 'strong' })
  asked.getByText('$0.50', { selector: 'strong' })
})

test('a setting that somebody else changed meanwhile keeps what was typed, which can be saved then', async () => {
  await openSettings()
  server.refuse(changeOperatorSetting, 'state_conflict', 'Somebody else changed this setting meanwhile.')
  await fill(field('Cents per coin'), '4')
  const changed = settings({ withdrawal_rate: { centsPerCoin: 7 } }).map((setting) => ({
    ...setting,
    version: 2,
  }))
  server.serve(operatorSettings, changed)
  const openReason = async () => {
    await user.click(button('Save withdrawal rate'))
    const asked = await dialog('Change withdrawal rate?')
    return within(asked).getByLabelText(/^reason/i) as HTMLTextAreaElement
  }
  await fill(await openReason(), 'Cards cost more')
  await user.click(button('Save changes'))
  await screen.findByText('Somebody else changed this setting meanwhile.')
  await user.click(button('OK'))
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal((field('Cents per coin') as HTMLInputElement).value, '4')
  server.serve(changeOperatorSetting, changed[1] as OperatorSetting)
  assert.equal((await openReason()).value, 'Cards cost more')
  await user.click(button('Save changes'))
  await until(() =>
    assert.deepEqual(
      server.received(changeOperatorSetting).map(({ body }) => [body.version, body.value.centsPerCoin]),
      [
        [1, 4],
        [2, 4],
      ],
    ),
  )
})

test('a setting that was not changed here shows what somebody else saved', async () => {
  await openSettings()
  const changed = settings({ withdrawal_rate: { centsPerCoin: 7 } }).map((setting) => ({
    ...setting,
    version: 2,
  }))
  server.serve(operatorSettings, changed)
  await queryClient.invalidateQueries({ queryKey: queryKeyOf(operatorSettings) })
  await until(() => assert.equal((field('Cents per coin') as HTMLInputElement).value, '7'))
  await fill(field('Cents per coin'), '4')
  server.serve(changeOperatorSetting, changed[1] as OperatorSetting)
  await user.click(button('Save withdrawal rate'))
  const asked = await dialog('Change withdrawal rate?')
  await fill(within(asked).getByLabelText(/^reason/i), 'Cards cost more')
  await user.click(within(asked).getByRole('button', { name: 'Save changes' }))
  await until(() => assert.equal(server.received(changeOperatorSetting)[0]?.body.version, 2))
})

test('what is typed while a setting is saved stays, and is saved on top of the saved version', async () => {
  await openSettings()
  const saved = (version: number, centsPerCoin: number) =>
    settings({ withdrawal_rate: { centsPerCoin } }).map((setting) => ({ ...setting, version }))
  server.serve(changeOperatorSetting, ({ body }) => {
    const changed = saved(body.version + 1, body.value.centsPerCoin)
    server.serve(operatorSettings, changed)
    return changed[1] as OperatorSetting
  })
  const held = server.hold(changeOperatorSetting)
  const save = async () => {
    await user.click(button('Save withdrawal rate'))
    const asked = await dialog('Change withdrawal rate?')
    await fill(within(asked).getByLabelText(/^reason/i), 'Cards cost more')
    await user.click(within(asked).getByRole('button', { name: 'Save changes' }))
  }
  await fill(field('Cents per coin'), '4')
  await save()
  await until(() => assert.equal(server.received(changeOperatorSetting).length, 1))
  await fill(field('Cents per coin'), '6')
  held.release()
  await screen.findByText('Withdrawal rate saved.')
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal((field('Cents per coin') as HTMLInputElement).value, '6')
  await save()
  await until(() =>
    assert.deepEqual(
      server.received(changeOperatorSetting).map(({ body }) => [body.version, body.value.centsPerCoin]),
      [
        [1, 4],
        [2, 6],
      ],
    ),
  )
})

test('a changed property stays when somebody else saves another one, which is shown', async () => {
  await openSettings()
  const value = (name: string) => (field(name) as HTMLInputElement).value
  await fill(field('Card fee, percent'), '3.5')
  const changed = settings({
    packages: { ...OPERATOR_SETTINGS.packages.default, cardFeeCents: 50 },
  }).map((setting) => ({ ...setting, version: 2 }))
  server.serve(operatorSettings, changed)
  await queryClient.invalidateQueries({ queryKey: queryKeyOf(operatorSettings) })
  await until(() => assert.equal(value('Card fee, fixed'), '$0.50'))
  assert.equal(value('Card fee, percent'), '3.5 %')
})

test('the books show what 1,000 coins of each package cost and pay out, and warn of losses', async () => {
  server.serve(operatorSettings, settings())
  server.serve(audit, {
    balanced: false,
    checks: [{ name: 'every transfer moves coins', checked: 20, wrong: 1 }],
    figures: {},
    tookMs: 1,
    time: '2026-01-01T09:00:00.000Z',
  })
  await openApp('/dashboard/books', { as: aUser('Admin') })
  const table = await screen.findByRole('table', { name: 'Package margins' })
  screen.getByText('1 error')
  const [, ...rows] = within(table).getAllByRole('row')
  assert.deepEqual(
    rows
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      )
      .at(-1),
    ['1,000 coins for $35.00', '$35.00', '$33.68', '$50.00', '−$16.32 (−47%)'],
  )
  screen.getByText(
    /500 coins for \$20.00 bring \$19.12 after card fees and tax, and pay out \$25.00: a loss of \$5.88/,
  )
})
