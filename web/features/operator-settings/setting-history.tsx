import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { OperatorSetting } from '#contract/operator-settings.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatDateTime } from '#web/lib/format-time.ts'
import type { SettingSection } from './sections.en.ts'
import { changedFields } from './setting-values.ts'

type Props = { changes: OperatorSetting['changes']; fields: SettingSection['fields'] }

/** Renders the earlier values of a setting, newest first: who changed what, when and why. */
export function SettingHistory({ changes, fields }: Props) {
  return (
    <details className="mt-5 border-t border-line pt-4 text-sm">
      <summary className="min-h-6 cursor-pointer font-nav">
        {t`History, ${plural(changes.length, { one: '# version', other: '# versions' })}`}
      </summary>
      <ol className="mt-3 space-y-3">
        {changes.map((change, index) => (
          <li key={change.version}>
            <p className="text-dim">
              <Author change={change} />
            </p>
            <p className="wrap-anywhere">{change.reason}</p>
            <ul className="text-dim">
              {changedFields(changes[index + 1]?.value ?? {}, change.value, fields).map(
                ({ property, label, to }) => (
                  <li key={property}>
                    {label}: {to}
                  </li>
                ),
              )}
            </ul>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Renders when and by whom a setting was changed, and who confirmed it. */
function Author({ change }: { change: OperatorSetting['changes'][number] }) {
  const { changedBy, changedById, confirmedBy, confirmedById } = change
  const time = formatDateTime(change.changedAt)
  const admin = changedBy ?? t`Automatic`
  if (confirmedBy === null)
    return (
      <>
        {time} · <UserLink id={changedById} name={admin} />
      </>
    )
  return (
    <Trans>
      {time} · <UserLink id={changedById} name={admin} />, confirmed by{' '}
      <UserLink id={confirmedById} name={confirmedBy} />
    </Trans>
  )
}
