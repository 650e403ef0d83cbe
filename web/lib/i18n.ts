import { setupI18n } from '@lingui/core'
import { TransNoContext, type TransProps } from '@lingui/react/server'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { LOCALE } from '#web/lib/locale.ts'

/**
 * Formats the messages of the macros `t`, `plural` and `select`. It has no catalogue: the build puts the translation in
 * the place of each message (scripts/build/translations.ts).
 */
export const i18n = setupI18n({
  locale: LOCALE,
  // Numbers in messages have Indian digit groups, as in contract/amounts.en.ts.
  locales: LOCALE === DEFAULT_LOCALE ? 'en-IN' : LOCALE,
  messages: { [LOCALE]: {} },
})

const lingui = { i18n }

/** Renders the messages of the macros `<Trans>`, `<Plural>` and `<Select>`. */
export function Trans(props: TransProps) {
  return TransNoContext({ ...props, lingui })
}
