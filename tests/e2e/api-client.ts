import { type BrowserContext, expect } from '@playwright/test'
import type { Role } from '#contract/endpoint.ts'
import { signInAsDemo, signUpUser, type User } from './fixtures.ts'

/** Sends a request and returns the body of its response. */
export type ApiClient = (method: string, path: string, data?: object) => Promise<Record<string, unknown>>

/** Returns what calls the API as the signed-in user of a context, and returns the body; a refusal fails the test. */
export async function apiClient(context: BrowserContext): Promise<ApiClient> {
  const headers = { origin: new URL(process.env.E2E_URL ?? '').origin }
  const { token } = await (
    await context.request.post(`${process.env.E2E_URL}/api/auth/token`, { headers })
  ).json()
  return async (method, path, data) => {
    const response = await context.request.fetch(`${process.env.E2E_URL}/api${path}`, {
      method,
      ...(data ? { data } : {}),
      headers: { ...headers, authorization: `Bearer ${token}` },
    })
    expect(response.ok(), `${method} ${path}: ${await response.text()}`).toBe(true)
    return response.status() === 204 ? {} : response.json()
  }
}

/** Returns the body of a request that adds a task; `fields` replaces fields. */
export function taskBody(fields: object = {}): object {
  return {
    task_title: 'Name three good tea stalls in Sylhet',
    task_detail: 'Three names with their streets, and one sentence about each.',
    required_workers: 2,
    payable_amount: 5,
    completion_date: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10),
    submission_info: 'The three names in the text box',
    task_image_url: '',
    ...fields,
  }
}

/** Does something as a demo user, in a session of its own. */
export async function asDemo<T>(
  context: BrowserContext,
  role: Role,
  work: (call: ApiClient) => Promise<T>,
): Promise<T> {
  const other = await context.browser()?.newContext({ baseURL: process.env.E2E_URL ?? '' })
  if (!other) throw new Error('The context has no browser')
  try {
    await signInAsDemo(other, role)
    return await work(await apiClient(other))
  } finally {
    await other.close()
  }
}

/** Does something as a new user, in a session of their own. */
export async function asNew<T>(
  context: BrowserContext,
  role: 'Buyer' | 'Worker',
  name: string,
  work: (call: ApiClient, user: User) => Promise<T>,
): Promise<T> {
  const other = await context.browser()?.newContext({ baseURL: process.env.E2E_URL ?? '' })
  if (!other) throw new Error('The context has no browser')
  try {
    const user = await signUpUser(other, role, name)
    return await work(await apiClient(other), user)
  } finally {
    await other.close()
  }
}

/** Returns the transaction of a new buyer's payment with the test card that is disputed. */
export async function aDisputedPayment(context: BrowserContext, name: string): Promise<string> {
  return asNew(context, 'Buyer', name, async (call) => {
    const { clientSecret } = await call('POST', '/create-payment-intent', { price: 20 })
    const card = { number: '4000000000000259', expMonth: 12, expYear: 2040, cvc: '123' }
    const { transactionId } = await call('POST', '/sandbox/confirm', { clientSecret, ...card })
    await call('POST', '/payment-success', { transactionId })
    return transactionId as string
  })
}

/**
 * Leaves the context signed in as a new worker who has earned `coins` beyond their starting coins, paid by the demo
 * world's buyer.
 */
export async function workerWhoEarned(context: BrowserContext, coins: number, name?: string) {
  const title = `Proofread a leaflet ${crypto.randomUUID().slice(0, 8)}`
  const task = taskBody({ task_title: title, required_workers: 1, payable_amount: coins })
  const { insertedId: taskId } = await asDemo(context, 'Buyer', (call) => call('POST', '/add-task', task))
  const user = await signUpUser(context, 'Worker', name)
  const call = await apiClient(context)
  const work = await call('POST', '/submiteted-task', {
    taskId,
    submissoin_data: 'Read twice, two mistakes found.',
  })
  await asDemo(context, 'Buyer', (buyer) =>
    buyer('PATCH', `/update-submission-status/${work.insertedId}`, { status: 'approved' }),
  )
  return { ...user, call }
}
