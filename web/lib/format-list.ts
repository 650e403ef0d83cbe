import { LOCALE } from '#web/lib/locale.ts'

const and = new Intl.ListFormat(LOCALE === 'en' ? 'en-GB' : LOCALE)
const or = new Intl.ListFormat(LOCALE === 'en' ? 'en-GB' : LOCALE, { type: 'disjunction' })

/** Joins items as in a sentence: "Google and Demo". */
export const formatAll = (items: readonly string[]): string => and.format(items)

/** Joins alternatives as in a sentence: "Google or Demo". */
export const formatAny = (items: readonly string[]): string => or.format(items)
