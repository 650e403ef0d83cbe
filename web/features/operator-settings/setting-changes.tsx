import type { SettingSection } from './sections.en.ts'
import { changedFields, type Value } from './setting-values.ts'

type Props = { before: Value; after: Value; fields: SettingSection['fields'] }

/** Renders what differs between two values of a setting: "Cents per coin: 5 → 4". */
export function SettingChanges({ before, after, fields }: Props) {
  return (
    <ul className="space-y-1 text-sm">
      {changedFields(before, after, fields).map(({ property, label, from, to }) => (
        <li key={property}>
          {label}: {from} → <strong>{to}</strong>
        </li>
      ))}
    </ul>
  )
}
