import assert from 'node:assert/strict'
import { useApi } from './api.ts'
import { anAdmin, aWorker, balanceOf, type TestUser } from './factories.ts'

export const REASON = { reason: 'Three people use this number' }
export const REQUEST = { withdrawalCoin: 200, payment_system: 'Bkash', accountNumber: '01712345678' }

export const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  status < 300 ? 'done' : body.error?.code

/** An API with Admins who freeze users and their withdrawal requests. Call it inside `describe`. */
export function useFreezes() {
  const api = useApi()
  const balance = (user: TestUser) => balanceOf(api.database, user)
  const messagesOf = async (user: TestUser): Promise<string[]> =>
    (await api.as(user).get(`/notifications/${user.email}`)).body.map(
      ({ message }: { message: string }) => message,
    )

  async function freeze(user: TestUser) {
    const admin = await anAdmin(api.database)
    const { body, text } = await api.as(admin).post(`/users/${user.id}/freezes`, REASON)
    assert.ok(body.freezeId, text)
    return { admin, freezeId: body.freezeId as string }
  }

  async function aRequest(coins = 300) {
    const worker = await aWorker(api.database, { coins })
    const { body } = await api.as(worker).post(`/withdraw/${worker.email}`, REQUEST)
    return { worker, id: body.insertedId as string }
  }
  const pay = (admin: TestUser, id: string) =>
    api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' })

  return { api, balance, messagesOf, freeze, aRequest, pay }
}
