import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import type { Decision, UserOverview } from '#contract/user-overview.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatDateTime } from '#web/lib/format-time.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'
import { Section } from './section.tsx'

const DECISIONS: Record<Decision, [tone: Tone, text: string]> = {
  approved: ['success', t`Approved`],
  'approved automatically': ['neutral', t`Approved automatically`],
  rejected: ['error', t`Rejected`],
  'rejection reversed': ['warning', t`Rejection reversed`],
}

/** Renders the latest decisions of a user about others' work, and of others about theirs. Renders nothing without any. */
export function Decisions({ decisions }: { decisions: UserOverview['decisions'] }) {
  if (decisions.length === 0) return null
  return (
    <Section title={t`Decisions on work`}>
      <ul className="divide-y divide-line text-sm">
        {decisions.map((one) => {
          const other = <UserLink id={one._id} name={one.name} />
          const [tone, text] = DECISIONS[one.decision]
          return (
            <li key={one.submissionId} className="flex flex-wrap items-center justify-between gap-2 py-2">
              <span className="min-w-0 flex-1 basis-40">
                {one.by ? <Trans>Work of {other}</Trans> : <Trans>Decided by {other}</Trans>}
                <Link
                  to={`/dashboard/task-details/${one.taskId}`}
                  className="link block py-0.5 wrap-anywhere"
                >
                  {one.task}
                </Link>
                <span className="block text-xs text-dim">{formatDateTime(one.at)}</span>
                {one.reason !== '' && <span className="block wrap-anywhere">{one.reason}</span>}
              </span>
              <StatusBadge tone={tone}>{text}</StatusBadge>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
