import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const SavedCardId = z.string().check(z.regex(/^pm_[A-Za-z0-9]{1,250}$/, 'Not the id of a saved card'))

/** A card that the caller has saved at the card processor. */
export const SavedCard = z.object({
  _id: SavedCardId,
  brand: z.string(),
  last4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
})
export type SavedCard = z.infer<typeof SavedCard>

export const savedCards = endpoint({
  method: 'GET',
  path: '/saved-cards',
  summary: "The caller's saved cards, from the card processor",
  access: { who: 'signed-in' },
  reply: z.array(SavedCard),
})

export const removeSavedCard = endpoint({
  method: 'DELETE',
  path: '/saved-cards/:id',
  summary: "Remove one of the caller's saved cards at the card processor",
  access: { who: 'signed-in' },
  limit: { perUser: 120, perNetwork: 1200 },
  params: z.object({ id: SavedCardId }),
  reply: z.undefined(),
  status: 204,
  idempotency: 'own',
})
