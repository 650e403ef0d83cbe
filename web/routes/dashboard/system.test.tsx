import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { type CardHealth, type Growth, type System, system } from '#contract/system.ts'
import { openApp, server } from '#web/testing/app.tsx'
import { aUser } from '#web/testing/records.ts'

const MB = 1024 ** 2
const none = { waiting: 0, retried: 0, failed: 0 }
const size = (name: string, bytes: number, bytesPerDay: number | null) => ({
  name,
  bytes,
  rows: 12,
  bytesPerDay,
})

const CARDS: CardHealth = { provider: 'stripe', mode: 'live', checkedAt: null, checks: [], failures: [] }

async function openSystem(
  growth: Growth,
  cards = CARDS,
  replicas: System['replicas'] = [],
): Promise<HTMLElement> {
  const reply: System = {
    program: { startedAt: '2026-11-20T09:00:00.000Z', memoryMb: 200, turnedAway: 0 },
    database: { connections: 8, idle: 8, waiting: 0, retries: 0 },
    replicas,
    audit: null,
    jobs: none,
    mail: none,
    webhooks: { ...none, lastReceivedAt: null },
    cards,
    outbox: 0,
    growth,
    troubles: [],
  }
  server.serve(system, reply)
  await openApp('/dashboard/system', { as: aUser('Admin') })
  return screen.findByRole('region', { name: 'Growth' })
}

test('the growth of tables is shown, and how long the disk lasts', async () => {
  const tables = Array.from({ length: 12 }, (_, index) => size(`table_${index}`, 1000 - index, null))
  const section = await openSystem({
    database: size('database', 2.5 * 1024 * MB, 40 * MB),
    parts: [size('search_terms', 1.5 * MB, -2048), ...tables, size('outbox', 100, 0)],
    disk: { freeBytes: 400 * MB, totalBytes: 1024 ** 2 * MB, daysLeft: 10 },
  })
  for (const text of [
    '10 days',
    '400 MB of 1 TB',
    '2.5 GB',
    '+40 MB per day',
    'Search words',
    '-2 kB per day',
  ])
    within(section).getByText(text)
  within(section).getByText('Outbox')
  assert.equal(within(section).queryByText('Table 11'), null)
})

test('with an external database only sizes and rates are shown', async () => {
  const section = await openSystem({ database: size('database', 5_000, null), parts: [], disk: null })
  within(section).getByText('Unknown: external database')
  within(section).getByText('Rate not known yet')
})

test('failures and wrong settings of the card processor need attention', async () => {
  await openSystem(
    { database: null, parts: [], disk: null },
    {
      provider: 'stripe',
      mode: 'live',
      checkedAt: new Date().toISOString(),
      checks: [
        { name: 'secret_key', result: 'ok', detail: '' },
        {
          name: 'webhook',
          result: 'failed',
          detail: 'Stripe has no webhook endpoint with the URL https://x.',
        },
      ],
      failures: [
        {
          operation: 'create',
          kind: 'server_error',
          count: 3,
          status: 500,
          code: 'internal',
          requestId: 'req_1234567890',
          message: 'Something went wrong',
          lastAt: new Date().toISOString(),
        },
      ],
    },
  )
  const cards = screen.getByRole('region', { name: 'Card processor' })
  within(cards).getByText('Stripe has no webhook endpoint with the URL https://x.')
  within(cards).getByText(/Server error \(create\): 3 times/)
  within(cards).getByText('Request req_1234567890')
  screen.getByText(/The card processor settings are wrong · 3 card processor failures/)
})

test('before the first sample the section is empty', async () => {
  const section = await openSystem({ database: null, parts: [], disk: null })
  within(section).getByText('Sizes have not been recorded yet.')
})

test('read replicas are shown with what they are behind, and one that is not used needs attention', async () => {
  await openSystem({ database: null, parts: [], disk: null }, CARDS, [
    { name: 'db2.internal:5432', inUse: true, primary: false, lagMs: 12 },
    { name: 'db3.internal:5432', inUse: false, primary: false, lagMs: null },
    { name: 'db4.internal:5432', inUse: false, primary: false, lagMs: 45_210 },
  ])
  const section = within(screen.getByRole('region', { name: 'Read replicas' }))
  section.getByText('12 ms behind')
  section.getByText('Not used: never responded')
  section.getByText('Not used: 45 seconds behind')
  screen.getByText('2 read replicas are not used')
})

test('the primary among the replicas is no problem', async () => {
  await openSystem({ database: null, parts: [], disk: null }, CARDS, [
    { name: 'db1.internal:5432', inUse: false, primary: true, lagMs: 45_210 },
    { name: 'db2.internal:5432', inUse: true, primary: false, lagMs: 12 },
  ])
  within(screen.getByRole('region', { name: 'Read replicas' })).getByText('Not used: this is the primary')
  screen.getByText('All systems operational')
})

test('without read replicas nothing is said of them', async () => {
  await openSystem({ database: null, parts: [], disk: null })
  assert.equal(screen.queryByRole('region', { name: 'Read replicas' }), null)
})
