import type { MouseEvent } from 'react'
import { splitLocale } from '#contract/locales.ts'
import { prepareLanguageSwitch, TRANSFER_KEY, type TransferredForms } from '#web/lib/language-switch.ts'
import { LOCALE } from '#web/lib/locale.ts'

/*
 * Values typed into forms, carried to the same page in another language, which is another document
 * (docs/decisions/0062-languages.md).
 */
type Values = Record<string, unknown>
type Form = { key: string; values: Values; pictures?: Record<string, File> }

const forms = new Set<() => Form | undefined>()

/** Registers a form of this page by the function that returns its changed values. Returns a function that unregisters it. */
export function registerForm(read: () => Form | undefined): () => void {
  forms.add(read)
  return () => void forms.delete(read)
}

/** Returns the changed values of all forms of this page. */
export function typedValues(): TransferredForms['forms'] {
  const typed = [...forms].flatMap((read) => read() ?? [])
  return Object.fromEntries(typed.map(({ key, values }) => [key, values]))
}

/**
 * Follows a link to this page in another language. What is typed is carried over, and pictures that are chosen, for which the
 * page stays a moment longer.
 */
export function switchLanguage(event: MouseEvent<HTMLAnchorElement>): void {
  const link = event.currentTarget
  prepareLanguageSwitch(link, typedValues())
  const chosen = [...forms]
    .flatMap((read) => read() ?? [])
    .filter(({ pictures = {} }) => hasEntries(pictures))
  if (chosen.length === 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const pictures = Object.fromEntries(chosen.map(({ key, pictures = {} }) => [key, pictures]))
  void import('./picture-transfer.ts')
    .then(({ transferPictures }) => transferPictures(pictures))
    // A browser that stores nothing carries nothing.
    .catch(() => {})
    .finally(() => location.assign(link.href))
}

const hasEntries = (record: object) => Object.keys(record).length > 0

/** Returns the key of a form on this page, the same in all languages. `parts` distinguish it from the page's other forms. */
export const formKey = (...parts: string[]) => [splitLocale(location.pathname).path, ...parts].join(' ')

/** Returns the values that were carried over for a form, once. */
export function takeTransferredValues(key: string): Values {
  return take((transferred) => {
    const values = transferred.forms[key]
    delete transferred.forms[key]
    return values
  })
}

/** Returns the pictures that were carried over for a form, once; undefined where there are none. */
export function takeTransferredPictures(key: string): Promise<Record<string, File>> | undefined {
  const pictures = take(({ pictures = {} }) => {
    const ofForm = pictures[key]
    delete pictures[key]
    return ofForm
  })
  if (!hasEntries(pictures)) return undefined
  return import('./picture-transfer.ts').then(({ filesOf }) => filesOf(pictures))
}

/** Removes what `remove` returns from the values that were carried to the language of this page. */
function take<T extends object>(
  remove: (transferred: TransferredForms) => T | undefined,
): T | Record<string, never> {
  try {
    const transferred = JSON.parse(sessionStorage.getItem(TRANSFER_KEY) ?? 'null') as TransferredForms | null
    const taken = transferred?.to === LOCALE ? remove(transferred) : undefined
    if (taken === undefined) return {}
    sessionStorage.setItem(TRANSFER_KEY, JSON.stringify(transferred))
    return taken
  } catch {
    return {}
  }
}
