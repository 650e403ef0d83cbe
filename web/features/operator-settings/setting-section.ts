import { SETTING_SECTIONS, type SettingField, type SettingSection } from './sections.en.ts'

/** Returns the texts of a setting; of one without texts its name and the names of its properties. */
export function sectionOf(name: string, value: Record<string, unknown>): Required<SettingSection> {
  const {
    title = humanize(name),
    description = '',
    recommendation = '',
    fields = {},
  } = SETTING_SECTIONS[name] ?? {}
  // In the order of the texts.
  const names = new Set([
    ...Object.keys(fields).filter((property) => property in value),
    ...Object.keys(value),
  ])
  const properties = Array.from(names, (property) => [
    property,
    fields[property] ?? fieldOf(property, value[property]),
  ])
  return {
    title,
    description,
    recommendation,
    fields: Object.fromEntries(properties) as SettingSection['fields'],
  }
}

function fieldOf(property: string, value: unknown): SettingField {
  const label = humanize(property)
  if (typeof value === 'boolean') return { label, kind: 'switch' }
  if (typeof value === 'string') return { label, kind: 'text' }
  return {
    label,
    kind: property.endsWith('Cents') ? 'dollars' : 'number',
    ...(value === null && { optional: true }),
  }
}

function humanize(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
