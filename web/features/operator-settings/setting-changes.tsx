import type { SettingSection } from './sections.en.ts'
import { changedProperties, formatProperty, type Value } from './setting-values.ts'

type Props = { before: Value; after: Value; fields: SettingSection['fields'] }

/** Renders what differs between two values of a setting: "Cents per coin: 5 → 4". */
export function SettingChanges({ before, after, fields }: Props) {
  return (
    <ul className="space-y-1 text-sm">
      {changedProperties(before, after).map((property) => {
        const field = fields[property]
        if (field === undefined) return null
        return (
          <li key={property}>
            {field.label}: {formatProperty(field, before[property])} →{' '}
            <strong>{formatProperty(field, after[property])}</strong>
          </li>
        )
      })}
    </ul>
  )
}
