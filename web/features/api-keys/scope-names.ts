import type { ApiScope } from '#contract/endpoint.ts'

/** The name of each scope and what it allows. */
export const SCOPE_NAMES: Record<ApiScope, { name: string; allows: string }> = {
  tasks: { name: 'Tasks', allows: 'Post, read, change and close your tasks' },
  review: { name: 'Review', allows: 'Read submissions to your tasks, approve and reject them' },
  'payments:read': {
    name: 'Payments',
    allows: 'Read your payments, receipts, withdrawals and coin statement',
  },
  events: { name: 'Events', allows: 'Follow what happens to your work, tasks and payments' },
  'account:read': { name: 'Account', allows: 'Read your profile, coins, statistics and notifications' },
}

/** Returns the names of scopes, also of scopes that this version of the page does not know. */
export function scopeList(scopes: readonly string[]): string {
  return scopes.map((scope) => SCOPE_NAMES[scope as ApiScope]?.name ?? scope).join(', ')
}
