import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { statsSeries } from '#contract/stats.ts'
import { StatsChart } from '#web/features/stats/stats-chart.tsx'
import { render, server, until } from '#web/testing/app.tsx'
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
})
