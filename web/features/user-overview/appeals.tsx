import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import type { AppealOutcome, UserOverview } from '#contract/user-overview.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatDateTime } from '#web/lib/format-time.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'
import { Section } from './section.tsx'

const OUTCOMES: Record<AppealOutcome, [tone: Tone, text: string]> = {
  open: ['warning', t`Open`],
  won: ['success', t`Work paid`],
  lost: ['error', t`Rejection stands`],
}

/** Renders the latest appeals of a user, and against their rejections. Renders nothing without any. */
export function Appeals({ appeals }: { appeals: UserOverview['appeals'] }) {
  if (appeals.length === 0) return null
  return (
    <Section title={t`Appeals`}>
      <ul className="divide-y divide-line text-sm">
        {appeals.map((appeal) => {
          const other = <UserLink id={appeal._id} name={appeal.name} />
          const [tone, text] = OUTCOMES[appeal.outcome]
          return (
            <li key={appeal.submissionId} className="flex flex-wrap items-center justify-between gap-2 py-2">
              <span className="min-w-0 flex-1 basis-40">
                {appeal.by ? (
                  <Trans>Against a rejection by {other}</Trans>
                ) : (
                  <Trans>By {other} against a rejection</Trans>
                )}
                <Link
                  to={`/dashboard/task-details/${appeal.taskId}`}
                  className="link block py-0.5 wrap-anywhere"
                >
                  {appeal.task}
                </Link>
                <span className="block text-xs text-dim">{formatDateTime(appeal.at)}</span>
                <span className="block wrap-anywhere">{appeal.text}</span>
              </span>
              <StatusBadge tone={tone}>{text}</StatusBadge>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
