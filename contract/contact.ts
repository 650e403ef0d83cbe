import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Email, Id, line, Name, Paging, Time, text, Updated } from './shapes.ts'

export const ContactForm = z.object({
  name: Name,
  email: Email,
  subject: line(200, 'Subject is required'),
  message: text(5_000, 'Message is required'),
})

export const sendContact = endpoint({
  method: 'POST',
  path: '/contact',
  summary: 'Send a message to the operator of this marketplace',
  access: { who: 'anyone' },
  limit: { perNetwork: 10 },
  body: ContactForm,
  reply: z.object({ acknowledged: z.boolean(), insertedId: Id }),
  status: 201,
  form: {
    page: '/',
    success: '/#message-sent',
    errors: ['invalid_fields', 'invalid_fields.email', 'too_many_requests', 'unavailable'],
  },
})

export const ContactMessage = z.extend(ContactForm, { _id: Id, createdAt: Time, answered: z.boolean() })
export type ContactMessage = z.infer<typeof ContactMessage>

export const contactMessages = endpoint({
  method: 'GET',
  path: '/contact',
  summary: 'Messages from the contact form, newest first',
  access: { who: ['Admin'] },
  query: Paging,
  reply: z.array(ContactMessage),
})

export const answerContact = endpoint({
  method: 'PATCH',
  path: '/contact/:id',
  summary: 'Mark a contact message as answered',
  access: { who: ['Admin'] },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({ answered: z.literal(true) }),
  reply: Updated,
})
