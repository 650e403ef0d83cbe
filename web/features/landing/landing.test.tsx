import { test } from 'node:test'
import { onlineManager } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { topWorkers } from '#contract/users.ts'
import { expectGone, render, server, until } from '#web/testing/app.tsx'
import { TalentPool } from './talent-pool.tsx'
import Testimonials from './testimonials.tsx'

test('the talent pool says that it is loading, and without a network that there is none', async () => {
  server.serve(topWorkers, [])
  const held = server.hold(topWorkers)
  render(<TalentPool />)
  await screen.findByRole('status', { name: 'Loading' })
  onlineManager.setOnline(false)
  await screen.findByText('There is no connection')
  onlineManager.setOnline(true)
  held.release()
  await until(() => expectGone(screen.queryByRole('status')))
})

test('testimonials that do not move, because the user prefers reduced motion, have no button to play them', async () => {
  render(<Testimonials />)
  await screen.findAllByRole('button', { name: /^Show testimonial/ })
  expectGone(screen.queryByRole('button', { name: /^(Play|Pause) testimonials$/ }))
})
