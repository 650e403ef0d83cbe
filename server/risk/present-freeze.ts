import { freezeReasonText as bangla } from '#contract/freeze-reasons.bn.ts'
import { freezeReasonText as english } from '#contract/freeze-reasons.en.ts'
import type { Freeze, ListedFreeze } from '#contract/freezes.ts'
import type { Locale } from '#contract/locales.ts'
import type { Risk } from '#contract/risk.ts'
import type { FreezeRow } from './freeze-queries.ts'

/** Functions that word stored reasons, by language. */
export const REASON_TEXT = { en: english, bn: bangla }

/** Returns a freeze with its reasons in a language. */
export function presentFreeze(row: FreezeRow, locale: Locale): Freeze {
  return {
    _id: row.id,
    subject: row.withdrawal_id === null ? 'account' : 'withdrawal',
    withdrawalId: row.withdrawal_id,
    coins: row.coins,
    cause: row.cause,
    reason: REASON_TEXT[locale](row.reason),
    frozenAt: row.frozen_at,
    response: row.response,
    respondedAt: row.responded_at,
    endedAt: row.ended_at,
    endReason: REASON_TEXT[locale](row.end_reason),
  }
}

export function presentListedFreeze(row: FreezeRow, locale: Locale): ListedFreeze {
  return {
    ...presentFreeze(row, locale),
    userId: row.user_id,
    name: row.name,
    email: row.email,
    frozenBy: row.frozen_by,
    frozenById: row.frozen_by_id,
  }
}

/** Returns the risk of a withdrawal request with the reasons of its freezes in a language. */
export function presentRisk(risk: Risk, locale: Locale): Risk {
  const freezes = risk.freezes.map((freeze) => ({
    ...freeze,
    reason: REASON_TEXT[locale](freeze.reason),
  }))
  return { ...risk, freezes }
}
