import { splitLocale } from '#contract/locales.ts'
import { CARRIED_KEY, type CarriedValues } from '#web/lib/leave-for-language.ts'
import { LOCALE } from '#web/lib/locale.ts'

/*
 * Values typed into forms, carried to the same page in another language, which is another document
 * (docs/decisions/0062-languages.md).
 */
type Values = Record<string, unknown>
type Form = { key: string; values: Values }

const forms = new Set<() => Form | undefined>()

/** Registers a form of this page by the function that returns its changed values. Returns a function that unregisters it. */
export function registerForm(read: () => Form | undefined): () => void {
  forms.add(read)
  return () => void forms.delete(read)
}

/** Returns the changed values of all forms of this page. */
export function typedValues(): CarriedValues['forms'] {
  const typed = [...forms].flatMap((read) => read() ?? [])
  return Object.fromEntries(typed.map(({ key, values }) => [key, values]))
}

/** Returns the key of a form on this page, the same in all languages. `parts` distinguish it from the page's other forms. */
export const formKey = (...parts: string[]) => [splitLocale(location.pathname).path, ...parts].join(' ')

/** Returns the values that were carried over for a form, once. */
export function takeCarriedValues(key: string): Values {
  try {
    const carried = JSON.parse(sessionStorage.getItem(CARRIED_KEY) ?? 'null') as CarriedValues | null
    const values = carried?.to === LOCALE ? carried.forms[key] : undefined
    if (carried === null || values === undefined) return {}
    delete carried.forms[key]
    sessionStorage.setItem(CARRIED_KEY, JSON.stringify(carried))
    return values
  } catch {
    return {}
  }
}
