import type { Freeze, ListedFreeze } from '#contract/freezes.ts'
import type { FreezeRow } from './freeze-queries.ts'

export function presentFreeze(row: FreezeRow): Freeze {
  return {
    _id: row.id,
    subject: row.withdrawal_id === null ? 'account' : 'withdrawal',
    withdrawalId: row.withdrawal_id,
    coins: row.coins,
    cause: row.cause,
    reason: row.reason,
    frozenAt: row.frozen_at,
    response: row.response,
    respondedAt: row.responded_at,
    endedAt: row.ended_at,
    endReason: row.end_reason,
  }
}

export function presentListedFreeze(row: FreezeRow): ListedFreeze {
  return {
    ...presentFreeze(row),
    userId: row.user_id,
    name: row.name,
    email: row.email,
    frozenBy: row.frozen_by,
    frozenById: row.frozen_by_id,
  }
}
