import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { auditActName } from '#contract/admin-audit-log-texts.en.ts'
import type { UserOverview } from '#contract/user-overview.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatDateTime } from '#web/lib/format-time.ts'
import { Section } from './section.tsx'

/** Renders what Admins did about a user. */
export function AdminActions({ actions }: { actions: UserOverview['actions'] }) {
  if (actions.length === 0) return null
  return (
    <div className="mt-8">
      <Section title={t`Admin actions`}>
        <ul className="divide-y divide-line text-sm">
          {actions.map((action) => (
            <li key={`${action.at} ${action.act}`} className="py-2">
              <Trans>
                <span className="font-number">{auditActName(action.act)}</span> by{' '}
                <UserLink id={action.adminId} name={action.admin} />
              </Trans>
              <span className="block text-xs text-dim">{formatDateTime(action.at)}</span>
              {action.reason !== '' && <span className="block wrap-anywhere">{action.reason}</span>}
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}
