import { generate } from 'otplib'
import type { Visitor } from './visitor.ts'

type Member = { visitor: Visitor; authorization: string }

/** The code that an authenticator app shows for this secret, now or some steps of 30 seconds later. */
export function codeOf(secret: string, stepsLater = 0): Promise<string> {
  return generate({ secret, epoch: Math.floor(Date.now() / 1000) + stepsLater * 30 })
}

/** Adds an authenticator app to a member's account, which uses up its current code. */
export async function addAuthenticator({ visitor, authorization }: Member) {
  const headers = { authorization }
  const begun = await visitor.once('/api/auth/second-factor/authenticator', { method: 'POST', headers })
  const { _id, secret, uri } = begun.json<{ _id: string; secret: string; uri: string }>()
  const confirmed = await visitor.once(`/api/auth/second-factor/authenticator/${_id}/confirm`, {
    json: { code: await codeOf(secret) },
    headers,
  })
  if (confirmed.status !== 200) throw new Error(`confirming returned ${confirmed.status}: ${confirmed.text}`)
  const { recoveryCodes } = confirmed.json<{ recoveryCodes: string[] | null }>()
  return { id: _id, secret, uri, recoveryCodes: recoveryCodes ?? [] }
}
