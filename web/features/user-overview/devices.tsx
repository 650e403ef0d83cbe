import { t } from '@lingui/core/macro'
import type { UserOverview } from '#contract/user-overview.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { SearchLink } from './search-link.tsx'
import { Section } from './section.tsx'

/** Renders the devices and networks of a user's sign-ins. */
export function Devices({ sessions }: { sessions: UserOverview['sessions'] }) {
  return (
    <Section title={t`Devices and networks`} empty={sessions.length === 0 && t`No sign-ins.`}>
      <ul className="divide-y divide-line text-sm">
        {sessions.map((one) => (
          <li key={`${one.device} ${one.network}`} className="flex flex-wrap justify-between gap-2 py-2">
            <span className="wrap-anywhere">
              {one.device}
              {one.network !== '' && (
                <>
                  {' '}
                  · <SearchLink value={one.network} />
                </>
              )}
            </span>
            <span className="text-xs text-dim">
              {one.isOpen
                ? t`signed in, last active ${{ seenAt: formatTimeAgo(one.seenAt) }}`
                : t`signed out, last active ${{ seenAt: formatTimeAgo(one.seenAt) }}`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
