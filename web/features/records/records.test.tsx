import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { expectGone, render } from '#web/testing/app.tsx'
import { aSubmission } from '#web/testing/records.ts'
import { BuyerRecordDetails, BuyerRecordLine } from './buyer-record.tsx'
import { estimateWork } from './work-estimate.ts'
import { WorkerRecordLine } from './worker-record.tsx'

const record = {
  decided: 40,
  approved: 36,
  rejected: 4,
  appealsLost: 1,
  decisionSeconds: 7300,
  paymentSeconds: 172_800,
}

test('a card says how much of the work its buyer approves, and how soon', () => {
  render(<BuyerRecordLine record={{ ...record, appealsLost: 0 }} />)
  screen.getByText('Approves 90% of work, usually in 2 hours')
})

test('a buyer with fewer than ten decisions is new, whatever they decided', () => {
  render(<BuyerRecordLine record={{ ...record, decided: 9, approved: 0, rejected: 9 }} />)
  screen.getByText('New buyer')
})

test('above thirty percent rejected there is a warning', () => {
  render(<BuyerRecordLine record={{ ...record, approved: 26, rejected: 14, appealsLost: 0 }} />)
  screen.getByText('Rejects 35% of work')
})

test('a card names the appeals that its buyer lost', () => {
  render(<BuyerRecordLine record={record} />)
  screen.getByText('Approves 90% of work, usually in 2 hours · 1 appeal lost')
})

test('rejections that reviewers overturned are part of the warning', () => {
  const overturned = { ...record, decided: 12, approved: 12, rejected: 0, appealsLost: 12 }
  render(
    <>
      <BuyerRecordLine record={overturned} />
      <BuyerRecordDetails record={overturned} />
    </>,
  )
  screen.getByText('Rejects 100% of work · 12 appeals lost')
  screen.getByText(/This buyer rejects a lot of work/)
})

test('the details name shares, lost appeals and usual times, and warn above the limit only', () => {
  render(<BuyerRecordDetails record={record} />)
  screen.getByText('90%')
  screen.getByText('10%')
  screen.getByText('2 days')
  expectGone(screen.queryByText(/rejects a lot of work/))
})

test('a buyer sees the record of a worker and how long the work took', () => {
  render(
    <WorkerRecordLine
      submission={aSubmission({ workerRecord: { approved: 97, rejected: 3 }, workSeconds: 1500 })}
    />,
  )
  screen.getByText('97 done, 97% approved · took 25 minutes')
})

test('time and pay per hour are estimated from the median working time, and not without one', () => {
  assert.deepEqual(estimateWork(10, 900), { time: 'about 15 minutes', pay: 'about 40 coins an hour' })
  assert.deepEqual(estimateWork(1, 40), { time: 'under a minute', pay: 'about 90 coins an hour' })
  assert.equal(estimateWork(10, null), null)
})
