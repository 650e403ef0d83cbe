import { t } from '@lingui/core/macro'
import type { ApiScope } from '#contract/endpoint.ts'

/** The name of each scope and what it allows. */
export const SCOPE_NAMES: Record<ApiScope, { name: string; allows: string }> = {
  tasks: { name: t`Tasks`, allows: t`Post, read, change and close your tasks` },
  review: { name: t`Review`, allows: t`Read submissions to your tasks, approve and reject them` },
  'payments:read': {
    name: t`Payments`,
    allows: t`Read your payments, receipts, withdrawals and coin statement`,
  },
  events: { name: t`Events`, allows: t`Follow what happens to your work, tasks and payments` },
  'account:read': { name: t`Account`, allows: t`Read your profile, coins, statistics and notifications` },
}

/** Returns the names of scopes, also of scopes that this version of the page does not know. */
export function scopeList(scopes: readonly string[]): string {
  return scopes.map((scope) => SCOPE_NAMES[scope as ApiScope]?.name ?? scope).join(', ')
}
