import type { OperatorSetting } from '#contract/operator-settings.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { pluralize } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import type { SettingField } from './sections.en.ts'
import { changedProperties, formatProperty } from './setting-values.ts'

type Props = { changes: OperatorSetting['changes']; fields: Record<string, SettingField> }

/** Renders the earlier values of a setting, newest first: who changed what, when and why. */
export function SettingHistory({ changes, fields }: Props) {
  return (
    <details className="mt-5 border-t border-line pt-4 text-sm">
      <summary className="min-h-6 cursor-pointer font-nav">
        History, {pluralize(changes.length, 'version')}
      </summary>
      <ol className="mt-3 space-y-3">
        {changes.map(
          (
            { version, value, changedAt, changedBy, changedById, confirmedBy, confirmedById, reason },
            index,
          ) => (
            <li key={version}>
              <p className="text-dim">
                {formatDateTime(changedAt)} · <UserLink id={changedById} name={changedBy ?? 'Automatic'} />
                {confirmedBy !== null && (
                  <>
                    , confirmed by <UserLink id={confirmedById} name={confirmedBy} />
                  </>
                )}
              </p>
              <p className="wrap-anywhere">{reason}</p>
              <ul className="text-dim">
                {changedProperties(changes[index + 1]?.value ?? {}, value).map((property) => {
                  const field = fields[property]
                  return field ? (
                    <li key={property}>
                      {field.label}: {formatProperty(field, value[property])}
                    </li>
                  ) : null
                })}
              </ul>
            </li>
          ),
        )}
      </ol>
    </details>
  )
}
