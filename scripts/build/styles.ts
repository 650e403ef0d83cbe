/** Mantine's palette has these colors too. The app uses those of its theme (web/theme.ts). */
const UNUSED_COLORS = 'pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange'
/** `Button.Group`, `Button.GroupSection`, `ActionIcon.Group` and `ActionIcon.GroupSection`. */
const UNUSED_CLASSES = 'm_(?:80d6d844|70be2a01|1a0f1b21|437b6484)'

const COLORS = new RegExp(`--mantine-color-(?:${UNUSED_COLORS})-[\\w-]+:[^;}]*;?`, 'g')
const RULES = new RegExp(
  `(?<=[{}])(?:\\.${UNUSED_CLASSES}[^{},]*(?:,(?=\\.${UNUSED_CLASSES}))?)+\\{[^{}]*\\}`,
  'g',
)
const HEADINGS = /--mantine-h\d-[\w-]+:[^;}]*;?/g
const SCALED = /calc\(([\d.]+rem) \* var\(--mantine-scale\)\)/g

/**
 * Returns styles of Mantine without what the app does not use: colors, groups of buttons, sizes of headings, and the factor of all
 * lengths, which is 1. Takes a style sheet, or a page with styles in it.
 */
export function shortenStyles(text: string): string {
  return text.replace(COLORS, '').replace(RULES, '').replace(HEADINGS, '').replace(SCALED, '$1')
}
