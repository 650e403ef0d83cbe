import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { Freeze } from '#contract/freezes.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { UserText } from '#web/ui/user-text.tsx'

type Props = {
  freeze: Pick<Freeze, 'subject' | 'cause' | 'reason' | 'frozenAt' | 'response'>
  busy: boolean
  end: () => void
}

/** Renders a live freeze with its reason, the user's response, and a button to end it. */
export function FreezeNotice({ freeze: { subject, cause, reason, frozenAt, response }, busy, end }: Props) {
  const time = formatDateTime(frozenAt)
  return (
    <div className="mt-3 rounded-control border border-danger/40 p-3">
      <p className="flex flex-wrap items-center gap-2">
        <StatusBadge tone="error">
          {subject === 'account' ? t`Account frozen` : t`Request frozen`}
        </StatusBadge>
        <span className="text-xs text-dim">{cause === 'admin' ? time : t`${time}, automatic`}</span>
      </p>
      <UserText className="mt-2">{reason}</UserText>
      {response !== null && (
        <div className="mt-2 border-l-2 border-edge pl-3">
          <p className="text-xs text-dim">{t`Response`}</p>
          <UserText>{response}</UserText>
        </div>
      )}
      <Button size="xs" variant="default" className="mt-3" disabled={busy} onClick={end}>
        {t`End freeze`}
      </Button>
    </div>
  )
}
