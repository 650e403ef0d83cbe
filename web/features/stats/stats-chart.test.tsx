import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { coinFlow, statsSeries, statsWeeks } from '#contract/stats.ts'
import { CoinFlowChart } from '#web/features/stats/coin-flow-chart.tsx'
import { StatsChart } from '#web/features/stats/stats-chart.tsx'
import { WeekChart } from '#web/features/stats/week-chart.tsx'
import { button, expectGone, render, server, until, user } from '#web/testing/app.tsx'
import { EarlierReply } from '#web/testing/fake-server.ts'
import { aUser } from '#web/testing/records.ts'

describe('the charts', () => {
  beforeEach(() => {
    server.signIn(aUser('Worker'))
  })

  const day = (date: number, coins: number, dollars = 0, grossDollars = dollars) => ({
    day: `2026-01-${date}`,
    coins,
    dollars,
    grossDollars,
  })

  /** The heights of the bars, in percent of the chart. */
  function bars(): number[] {
    return [...document.querySelectorAll('.bar-chart g rect')].map((bar) =>
      Number.parseFloat(bar.getAttribute('height') ?? ''),
    )
  }

  test('each day has a bar as high as its value', async () => {
    server.serve(statsSeries, [day(10, 50), day(11, 0), day(12, 100), day(13, 25)])
    render(<StatsChart title="Coins earned" unit="coins" />)
    await screen.findByRole('slider', { name: 'Coins earned' })
    assert.deepEqual(bars(), [50, 0, 100, 25])
  })

  test('a loss hangs below the line of zero', async () => {
    server.serve(statsSeries, [day(10, 0, 30), day(11, 0, -10)])
    render(<StatsChart title="Received by card, net" unit="dollars" />)
    await screen.findByRole('slider')
    assert.deepEqual(bars(), [75, 25])
    const [gain, loss] = document.querySelectorAll('.bar-chart g rect')
    assert.equal(gain?.getAttribute('y'), '0%')
    assert.equal(loss?.getAttribute('y'), '75%')
  })

  test('the keyboard and the pointer show the values of a day', async () => {
    server.serve(statsSeries, [day(10, 50), day(11, 1200), day(12, 100)])
    render(<StatsChart title="Coins earned" unit="coins" />)
    const days = await screen.findByRole('slider', { name: 'Coins earned' })
    const tooltip = () => document.querySelector('.bar-chart-tooltip')?.textContent
    assert.equal(days.getAttribute('aria-valuetext'), '12 Jan 2026: 100')
    assert.equal(tooltip(), undefined)
    act(() => days.focus())
    assert.equal(tooltip(), '12 Jan 2026100')
    // happy-dom does not move a range by keys, as browsers do.
    fireEvent.change(days, { target: { value: '1' } })
    assert.equal(days.getAttribute('aria-valuetext'), '11 Jan 2026: 1,200')
    assert.equal(tooltip(), '11 Jan 20261,200')
    await user.keyboard('{Escape}')
    assert.equal(tooltip(), undefined)

    const plot = days.parentElement as HTMLElement
    plot.getBoundingClientRect = () => new DOMRect(100, 0, 300, 100)
    fireEvent.pointerMove(plot, { clientX: 110 })
    assert.equal(tooltip(), '10 Jan 202650')
    fireEvent.pointerLeave(plot, { pointerType: 'mouse' })
    assert.equal(tooltip(), undefined)
  })

  test('the total and the highest day are in words, for users who see no bars', async () => {
    server.serve(statsSeries, [day(10, 1200), day(11, 300), day(12, 4500)])
    render(<StatsChart title="Coins earned" unit="coins" />)
    await screen.findByText('6,000 coins in the last 30 days, highest on 12 Jan 2026')
    await until(() => assert.ok(bars().length > 0))
    assert.ok(document.querySelector('.bar-chart svg[aria-hidden="true"]'))
  })

  test('dollars are net in the bars and words, with the gross beside them', async () => {
    server.serve(statsSeries, [day(10, 0, 20), day(11, 0, 35, 45)])
    render(<StatsChart title="Received by card, net" unit="dollars" />)
    await screen.findByText(/^\$55\.00 net, \$65\.00 gross in the last/)
    await until(() => assert.match(document.querySelector('.bar-chart-values')?.textContent ?? '', /\$/))
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

  test('earnings of weeks, categories and tasks are in a chart, in words and in a table', async () => {
    const weeks = Array.from({ length: 12 }, (_, index) => ({
      from: `2026-0${index < 4 ? 1 : index < 8 ? 2 : 3}-${String(4 + (index % 4) * 7).padStart(2, '0')}`,
      coins: index === 11 ? 1_234_567 : index === 10 ? 50 : 0,
    }))
    const title =
      'Find the phone number, opening hours and page of every grocery shop in the district of Sylhet'
    const task = {
      _id: crypto.randomUUID(),
      title,
      buyer: 'Ruma Akter',
      coins: 1_234_600,
      pieces: 3,
      isDeleted: false,
    }
    const categories = [
      { category: 'research' as const, coins: 1_234_600, pieces: 3 },
      { category: 'other' as const, coins: 17, pieces: 1 },
    ]
    const deleted = { ...task, _id: crypto.randomUUID(), title: 'Deleted since', pieces: 2, isDeleted: true }
    server.serve(statsWeeks, { weeks, categories, tasks: [task, deleted] })
    render(
      <WeekChart
        title="Earnings by week"
        categoriesTitle="Earnings by category"
        tasksTitle="Earnings by task"
        shows="earned"
      />,
    )
    await screen.findByText('12,34,567 coins this week, 50 last week')
    await user.click(button('Show as table'))
    assert.deepEqual(rowsOf('Earnings by week, the last 12 weeks').slice(0, 3), [
      ['Week from', 'Coins'],
      ['25 Mar 2026', '12,34,567'],
      ['18 Mar 2026', '50'],
    ])
    const byCategory = within(screen.getByRole('region', { name: 'Earnings by category' }))
    assert.deepEqual(
      byCategory.getAllByRole('listitem').map(({ textContent }) => textContent),
      ['Web research3 submissions12,34,600 coins', 'Other1 submission17 coins'],
    )
    screen.getByText('3 submissions · Ruma Akter')
    screen.getByText('Deleted since')
    expectGone(screen.queryByRole('link', { name: 'Deleted since' }))
    assert.equal(
      screen.getByRole('link', { name: title }).getAttribute('href'),
      `/dashboard/task-details/${task._id}`,
    )
  })

  test('earnings of a server of the previous version have no categories', async () => {
    const task = { _id: crypto.randomUUID(), title: 'Count boats', buyer: 'Ruma', coins: 50, pieces: 1 }
    const weeks = [{ from: '2026-01-04', coins: 50 }]
    server.serve(statsWeeks, () => new EarlierReply({ weeks, tasks: [task] }))
    render(<WeekChart title="Earnings" categoriesTitle="By category" tasksTitle="By task" shows="earned" />)
    await screen.findByRole('link', { name: 'Count boats' })
    const byCategory = within(screen.getByRole('region', { name: 'By category' }))
    assert.deepEqual(byCategory.queryAllByRole('listitem'), [])
  })

  test('coins in, out and held are in a table, and the change in words', async () => {
    server.serve(coinFlow, [
      { day: '2026-01-10', coinsIn: 700, coinsOut: 200, held: 500 },
      { day: '2026-01-11', coinsIn: 1_000_000, coinsOut: 200_000, held: 800_500 },
    ])
    render(<CoinFlowChart />)
    await screen.findByText('8,00,500 coins held, +8,00,500 in 30 days')
    await user.click(button('Show as table'))
    assert.deepEqual(rowsOf('Coins in, out and held, the last 30 days'), [
      ['Day', 'In', 'Out', 'Held'],
      ['11 Jan 2026', '10,00,000', '2,00,000', '8,00,500'],
      ['10 Jan 2026', '700', '200', '500'],
    ])
  })
})
