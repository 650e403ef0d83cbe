import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { answerContact, type ContactMessage, contactMessages } from '#contract/contact.ts'
import { button, expectFocus, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

test('a message is marked as answered, and the focus stays at it', async () => {
  let message: ContactMessage = {
    _id: anId(),
    name: 'Sadia',
    email: 'sadia@example.com',
    subject: 'Withdrawals',
    message: 'How do I begin?',
    createdAt: '2026-01-14T09:00:00.000Z',
    answered: false,
  }
  server.serve(contactMessages, () => [message])
  server.serve(answerContact, () => {
    message = { ...message, answered: true }
    return { acknowledged: true, matchedCount: 1, modifiedCount: 1 }
  })
  await openApp('/dashboard/messages', { as: aUser('Admin') })
  await screen.findByRole('heading', { name: 'Withdrawals' })
  await user.click(button('Mark as answered'))
  await screen.findByText('Answered')
  await until(() => expectFocus(screen.getByRole('link', { name: 'Reply by email' })))
})
