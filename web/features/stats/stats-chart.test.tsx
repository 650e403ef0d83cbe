import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { coinFlow, statsSeries, statsWeeks } from '#contract/stats.ts'
import { CoinFlowChart } from '#web/features/stats/coin-flow-chart.tsx'
import { StatsChart } from '#web/features/stats/stats-chart.tsx'
import { WeekChart } from '#web/features/stats/week-chart.tsx'
import { button, render, server, until, user } from '#web/testing/app.tsx'
import { aUser } from '#web/testing/records.ts'

const { getBoundingClientRect } = HTMLElement.prototype

describe('the charts', () => {
  beforeEach(() => {
    server.signIn(aUser('Worker'))
    // The chart is as large as its box, and a DOM without layout has boxes of no size.
    HTMLElement.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 640, 192)
  })
  afterEach(() => {
    HTMLElement.prototype.getBoundingClientRect = getBoundingClientRect
  })

  const day = (date: number, coins: number, dollars = 0, grossDollars = dollars) => ({
    day: `2026-01-${date}`,
    coins,
    dollars,
    grossDollars,
  })

  /** The heights of the bars that are drawn, in pixels. */
  function bars(): number[] {
    return [...document.querySelectorAll('.recharts-bar-rectangle path')].map((bar) =>
      Number(bar.getAttribute('height')),
    )
  }

  test('each day has a bar as high as its value', async () => {
    server.serve(statsSeries, [day(10, 50), day(11, 0), day(12, 100), day(13, 25)])
    render(<StatsChart title="Coins earned" unit="coins" />)
    await until(() => assert.ok(bars().length >= 3))
    const heights = bars().filter((height) => height > 0)
    const highest = Math.max(...heights)
    assert.deepEqual(
      heights.map((height) => Math.round((height / highest) * 100)),
      [50, 100, 25],
    )
  })

  test('the total and the highest day are in words, for who sees no bars', async () => {
    server.serve(statsSeries, [day(10, 1200), day(11, 300), day(12, 4500)])
    render(<StatsChart title="Coins earned" unit="coins" />)
    await screen.findByText('6,000 coins in the last 30 days, highest on 12 Jan 2026')
    await until(() => assert.ok(bars().length > 0))
    assert.ok(document.querySelector('.recharts-wrapper')?.closest('[aria-hidden="true"]'))
  })

  test('dollars are net in the bars and words, with the gross beside them', async () => {
    server.serve(statsSeries, [day(10, 0, 20), day(11, 0, 35, 45)])
    render(<StatsChart title="Received by card, net" unit="dollars" />)
    await screen.findByText(/^\$55\.00 net, \$65\.00 gross in the last/)
    await until(() => assert.match(document.querySelector('.recharts-wrapper')?.textContent ?? '', /\$/))
  })

  test('days without activity are one sentence instead of an empty chart', async () => {
    server.serve(statsSeries, [day(10, 0, 20), day(11, 0, 35)])
    render(<StatsChart title="Coins earned" unit="coins" />)
    await screen.findByText('No activity in the last 30 days.')
    assert.deepEqual(bars(), [])
  })

  test('a chart that did not load says why', async () => {
    server.refuse(statsSeries, 'forbidden', 'You may not see this.')
    render(<StatsChart title="Coins earned" unit="coins" />)
    await screen.findByText('You may not see this.')
  })

  /** The text of each row of a table, by its cells. */
  const rowsOf = (name: string) =>
    within(screen.getByRole('table', { name }))
      .getAllByRole('row')
      .map((row) => [...row.children].map((cell) => cell.textContent))

  test('earnings of weeks and of tasks are in a chart, in words and in a table', async () => {
    const weeks = Array.from({ length: 12 }, (_, index) => ({
      from: `2026-0${index < 4 ? 1 : index < 8 ? 2 : 3}-${String(4 + (index % 4) * 7).padStart(2, '0')}`,
      coins: index === 11 ? 1_234_567 : index === 10 ? 50 : 0,
    }))
    const title =
      'Find the phone number, opening hours and page of every grocery shop in the district of Sylhet'
    const task = { _id: crypto.randomUUID(), title, buyer: 'Ruma Akter', coins: 1_234_600, pieces: 3 }
    server.serve(statsWeeks, { weeks, tasks: [task] })
    render(<WeekChart title="Earnings by week" tasksTitle="Earnings by task" shows="earned" />)
    await screen.findByText('12,34,567 coins this week, 50 last week')
    await user.click(button('Show as table'))
    assert.deepEqual(rowsOf('Earnings by week, the last 12 weeks').slice(0, 3), [
      ['Week from', 'Coins'],
      ['25 Mar 2026', '12,34,567'],
      ['18 Mar 2026', '50'],
    ])
    screen.getByText('3 submissions · Ruma Akter')
    assert.equal(
      screen.getByRole('link', { name: title }).getAttribute('href'),
      `/dashboard/task-details/${task._id}`,
    )
  })

  test('coins in, out and held are in a table, and the change in words', async () => {
    server.serve(coinFlow, [
      { day: '2026-01-10', coinsIn: 0, coinsOut: 0, held: 500 },
      { day: '2026-01-11', coinsIn: 1_000_000, coinsOut: 200_000, held: 800_500 },
    ])
    render(<CoinFlowChart />)
    await screen.findByText('8,00,500 coins held, +8,00,000 in 30 days')
    await user.click(button('Show as table'))
    assert.deepEqual(rowsOf('Coins in, out and held, the last 30 days'), [
      ['Day', 'In', 'Out', 'Held'],
      ['11 Jan 2026', '10,00,000', '2,00,000', '8,00,500'],
      ['10 Jan 2026', '0', '0', '500'],
    ])
  })
})
