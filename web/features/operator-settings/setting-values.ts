import { t } from '@lingui/core/macro'
import { OPERATOR_SETTINGS, type OperatorSetting, type SettingValue } from '#contract/operator-settings.ts'
import { formatCents, formatCoins, formatNumber } from '#web/lib/format.ts'
import { LOCALE } from '#web/lib/locale.ts'
import type { SettingField, SettingSection } from './sections.en.ts'

export type Value = Record<string, unknown>

/** Settings whose recommended values leave a lone Admin without first payouts and larger refunds; undoing them takes 24 hours. */
const NEED_SECOND_ADMIN: OperatorSetting['name'][] = ['payout_rules', 'refund_rules']

/** Returns the value that is recommended for a setting, unless there is none, it is in force, or it needs a second Admin. */
export function openRecommendation({ name, value }: OperatorSetting, hasSecondAdmin: boolean) {
  const { schema, recommended } = OPERATOR_SETTINGS[name] as {
    schema: { parse: (value: unknown) => Value }
    recommended?: Value
  }
  if (recommended === undefined || (NEED_SECOND_ADMIN.includes(name) && !hasSecondAdmin)) return undefined
  return JSON.stringify(schema.parse(recommended)) === JSON.stringify(schema.parse(value))
    ? undefined
    : recommended
}

/** Returns the properties that differ between two values of a setting. */
export function changedProperties(before: Value, after: Value): string[] {
  return Object.keys(after).filter((name) => canonical(before[name]) !== canonical(after[name]))
}

/** Returns the label and the formatted values of each property that differs and has a field. */
export function changedFields(before: Value, after: Value, fields: SettingSection['fields']) {
  return changedProperties(before, after).flatMap((property) => {
    const field = fields[property]
    if (field === undefined) return []
    const [from, to] = [formatProperty(field, before[property]), formatProperty(field, after[property])]
    return { property, label: field.label, from, to }
  })
}

/** Serializes a value independently of the order of its properties. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

const decimals = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 3, useGrouping: false })

/** Formats the value of a property: "$50.00", "12 hours", "Off". */
export function formatProperty({ kind, unit, optional }: SettingField, value: unknown): string {
  if (value === null || value === undefined) return optional ? t`Off` : t`None`
  if (kind === 'packages')
    return (value as SettingValue<'packages'>['packages'])
      .map(
        ({ coins, priceCents }) =>
          t`${{ coins: formatCoins(coins) }} for ${{ price: formatCents(priceCents) }}`,
      )
      .join(', ')
  if (typeof value === 'boolean') return value ? t`On` : t`Off`
  if (typeof value === 'string') return value === '' ? t`None` : value
  if (kind === 'dollars') return formatCents(Number(value))
  if (typeof value !== 'number') return JSON.stringify(value)
  return unit === undefined ? formatNumber(value) : `${decimals.format(value)} ${unit}`
}
