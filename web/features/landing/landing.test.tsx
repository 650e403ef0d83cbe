import { test } from 'node:test'
import { onlineManager } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { topWorkers } from '#contract/users.ts'
import { expectGone, render, server, until } from '#web/testing/app.tsx'
import { TalentPool } from './talent-pool.tsx'

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
