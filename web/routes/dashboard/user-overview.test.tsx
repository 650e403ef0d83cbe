import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { listFreezes } from '#contract/freezes.ts'
import { statement } from '#contract/ledger.ts'
import { liftBlock } from '#contract/my-workers.ts'
import { searchUsersByTrace, type UserOverview, userOverview } from '#contract/user-overview.ts'
import {
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
import { aFreeze, anId, aUser } from '#web/testing/records.ts'

const rafi = { _id: anId(), name: 'Rafi', email: 'rafi@example.com', role: 'Worker' as const }
const mim = { _id: anId(), name: 'Mim', email: 'mim@example.com', role: 'Buyer' as const }

const overview: UserOverview = {
  user: {
    ...rafi,
    image: '',
    isReviewer: false,
    joinedAt: '2026-01-14T08:00:00.000Z',
    lastSeenAt: null,
    deletedAt: null,
    isFrozen: true,
  },
  totals: {
    coins: 120,
    debt: 0,
    coinsOnHold: 200,
    coinsInEscrow: 0,
    paidInCents: 0,
    returnedCents: 0,
    paidOutCents: 4000,
    requestedCents: 1000,
    tasks: 0,
    approved: 12,
    rejected: 1,
    pending: 2,
    appeals: 1,
    appealsAgainst: 0,
  },
  destinations: [
    {
      system: 'Bkash',
      accountNumber: '01712345678',
      holderName: 'Rafi Ahmed',
      isVerified: true,
      isRemoved: false,
      firstUsedAt: '2026-01-15T08:00:00.000Z',
    },
  ],
  sessions: [],
  cards: [],
  withdrawals: [],
  counterparties: [{ ...mim, coinsFrom: 300, coinsTo: 0, works: 12 }],
  links: [{ ...mim, kind: 'destination', value: '01712345678' }],
  blocks: [],
  decisions: [],
  appeals: [],
  actions: [
    {
      act: 'user_frozen',
      admin: 'Anika',
      adminId: anId(),
      at: '2026-01-16T08:00:00.000Z',
      reason: 'Shared number',
    },
  ],
}

async function openOverview() {
  server.serve(userOverview, () => overview)
  server.serveList(statement, [])
  server.serveList(listFreezes, [])
  await openApp(`/dashboard/manage-users/${rafi._id}`, { as: aUser('Admin') })
  await screen.findByRole('heading', { level: 1, name: 'Rafi' })
}

test('an Admin sees who shares a number with a user, and opens their page', async () => {
  await openOverview()
  assert.ok(screen.getByText('Frozen'))
  const linked = within(screen.getByRole('region', { name: 'Linked users' }))
  assert.ok(linked.getByText('Same account number: 01712345678'))
  assert.equal(
    linked.getByRole('link', { name: 'Mim' }).getAttribute('href'),
    `/dashboard/manage-users/${mim._id}`,
  )
  assert.ok(screen.getByRole('img', { name: 'Rafi and the user with whom most coins moved: Mim' }))
  assert.ok(screen.getByText('Shared number'))
})

test('a number leads to the users who used it', async () => {
  await openOverview()
  server.serve(searchUsersByTrace, () => [{ ...mim, kind: 'account number', value: '01712345678' }])
  await user.click(screen.getByRole('link', { name: '01712345678' }))
  await screen.findByRole('heading', { name: 'Find Users' })
  assert.ok(await screen.findByRole('link', { name: 'Mim' }))
  assert.equal(server.received(searchUsersByTrace)[0]?.query.q, '01712345678')
})

test('users who were found are not shown for the next search', async () => {
  server.serve(searchUsersByTrace, [])
  await openApp('/dashboard/user-search?q=01712345678', { as: aUser('Admin') })
  await screen.findByText('Nobody used “01712345678”.')
  const held = server.hold(searchUsersByTrace)
  await fill(field(/^Number, holder/), '01812345678')
  await until(() => assert.equal(server.received(searchUsersByTrace).length, 2))
  expectGone(screen.queryByText(/^Nobody used/))
  held.release()
  await screen.findByText('Nobody used “01812345678”.')
})

test('an Admin reads the reason of a block and lifts it with another', async () => {
  const block = {
    ...mim,
    blockId: anId(),
    by: false,
    reason: 'The same text ten times',
    createdAt: '2026-01-10T09:00:00.000Z',
  }
  let endedAt: string | null = null
  server.serve(userOverview, () => ({ ...overview, blocks: [{ ...block, endedAt }] }))
  server.serve(liftBlock, () => {
    endedAt = '2026-01-11T09:00:00.000Z'
    return { acknowledged: true }
  })
  server.serveList(statement, [])
  server.serveList(listFreezes, [])
  await openApp(`/dashboard/manage-users/${rafi._id}`, { as: aUser('Admin') })
  const blocks = within(await screen.findByRole('region', { name: 'Blocks of workers' }))
  blocks.getByText('The same text ten times')
  await user.click(blocks.getByRole('button', { name: /^Lift block/ }))
  const asked = within(await dialog('Lift this block?'))
  await fill(asked.getByLabelText(/^Reason/), 'No ground for it')
  await user.click(asked.getByRole('button', { name: 'Lift block' }))
  await until(() => expectGone(blocks.queryByRole('button', { name: /^Lift block/ })))
  assert.deepEqual(server.received(liftBlock)[0]?.body, { reason: 'No ground for it' })
  await until(() => expectFocus(blocks.getByRole('list')))
})

test('an Admin sees the decisions, appeals and freezes of a user', async () => {
  const work = {
    ...mim,
    submissionId: anId(),
    taskId: anId(),
    task: 'Rate a song',
    at: '2026-01-12T08:00:00.000Z',
  }
  server.serve(userOverview, () => ({
    ...overview,
    decisions: [{ ...work, by: false, decision: 'rejection reversed', reason: 'No rating' }],
    appeals: [{ ...work, by: true, outcome: 'won', text: 'It has five stars' }],
  }))
  server.serveList(statement, [])
  const freezes = [
    { response: 'It is my own number' },
    { coins: 200, endedAt: '2026-01-14T09:00:00.000Z', endReason: 'The number is theirs' },
  ].map((change) => ({
    ...aFreeze(change),
    userId: rafi._id,
    name: rafi.name,
    email: rafi.email,
    frozenBy: 'Anika',
    frozenById: anId(),
  }))
  server.serveList(listFreezes, freezes)
  await openApp(`/dashboard/manage-users/${rafi._id}`, { as: aUser('Admin') })
  const regionOf = async (name: string) => within(await screen.findByRole('region', { name }))
  const decisions = await regionOf('Decisions on work')
  assert.ok(decisions.getByText('Rejection reversed'))
  assert.ok(decisions.getByText('No rating'))
  assert.equal(
    decisions.getByRole('link', { name: 'Rate a song' }).getAttribute('href'),
    `/dashboard/task-details/${work.taskId}`,
  )
  const appeals = await regionOf('Appeals')
  assert.ok(appeals.getByText('Work paid'))
  assert.ok(appeals.getByText('It has five stars'))
  const frozen = await regionOf('Freezes')
  assert.ok(frozen.getByText('Response: It is my own number'))
  assert.ok(frozen.getByText('Ended: The number is theirs'))
  assert.equal(server.received(listFreezes)[0]?.query.user, rafi._id)
})
