import { t } from '@lingui/core/macro'
import type { BatchAnswer } from '#contract/batch-answers.ts'
import { percentOf } from '#web/lib/dashboard-format.ts'
import { formatNumber } from '#web/lib/format.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

type Props = { answer: Pick<BatchAnswer, 'agreement' | 'isMajority' | 'isRight'> }

/** Renders whether the answers to an item agree, and whether these are the known ones. Nothing for a single answer. */
export function AgreementBadges({ answer: { agreement, isMajority, isRight } }: Props) {
  const share = formatNumber(percentOf(agreement ?? 0, 1))
  return (
    <span className="flex flex-wrap gap-2">
      {isRight !== null && (
        <StatusBadge tone={isRight ? 'success' : 'error'}>
          {isRight ? t`Matches the known answer` : t`Differs from the known answer`}
        </StatusBadge>
      )}
      {agreement === 1 && <StatusBadge tone="success">{t`All agree`}</StatusBadge>}
      {agreement !== null && agreement < 1 && (
        <StatusBadge tone={isMajority === true ? 'neutral' : 'warning'}>
          {isMajority === null
            ? t`No majority`
            : isMajority
              ? t`${{ share }}% agree`
              : t`Differs from the majority`}
        </StatusBadge>
      )}
    </span>
  )
}
