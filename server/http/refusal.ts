import type { ErrorCode } from '#contract/errors.ts'
import type { Locale } from '#contract/locales.ts'
import { REFUSAL_TEXTS as BANGLA } from '#contract/refusals.bn.ts'
import {
  REFUSAL_TEXTS as ENGLISH,
  type RefusalKey,
  type RefusalParams,
  type StoredRefusal,
} from '#contract/refusals.en.ts'
import { validationText } from '#contract/validation-texts.bn.ts'

type Details = {
  /** A message for each field of the request that is wrong. */
  fields?: Record<string, string>
  /** The one field that the refusal's own sentence is about. */
  field?: string
  /** When a retry can succeed, where that is known. */
  waitSeconds?: number
  cause?: string
}
type Arguments<Key extends RefusalKey> =
  RefusalParams<Key> extends undefined ? [Details?] : [Details & { params: RefusalParams<Key> }]

const CATALOGUES = { en: ENGLISH, bn: BANGLA }

function textOf(locale: Locale, key: RefusalKey, params: unknown): string {
  const text: string | ((params: never) => string) = CATALOGUES[locale][key]
  return typeof text === 'string' ? text : text(params as never)
}

/** A rule that rejects a request. Its sentence comes from contract/refusals.en.ts and its translations. */
export class Refusal<Key extends RefusalKey = RefusalKey> extends Error {
  readonly code: ErrorCode
  readonly waitSeconds: number | undefined
  readonly #key: RefusalKey
  readonly #params: unknown
  readonly #field: string | undefined
  readonly #fields: Record<string, string> | undefined

  constructor(key: Key, ...[details]: Arguments<Key>) {
    const { fields, field, waitSeconds, cause, params }: Details & { params?: unknown } = details ?? {}
    super(textOf('en', key, params), { cause })
    this.code = key.split('.', 1)[0] as ErrorCode
    this.waitSeconds = waitSeconds
    this.#key = key
    this.#params = params
    this.#field = field
    this.#fields = fields
  }

  /** Returns a refusal that was stored. */
  static of({ key, params }: StoredRefusal): Refusal {
    return new Refusal(key, { params } as never)
  }

  get stored(): StoredRefusal {
    return { key: this.#key, params: this.#params }
  }

  /** The messages of the fields in English. */
  get fields(): Record<string, string> | undefined {
    return this.#field === undefined ? this.#fields : { [this.#field]: this.message }
  }

  /** Returns the sentence and the messages of the fields in a language. */
  in(locale: Locale): { message: string; fields: Record<string, string> | undefined } {
    if (locale === 'en') return { message: this.message, fields: this.fields }
    const message = validationText(textOf(locale, this.#key, this.#params))
    const fields =
      this.#fields &&
      Object.entries(this.#fields).map(([name, text]) => [name, validationText(text)] as const)
    if (this.#field !== undefined) return { message, fields: { [this.#field]: message } }
    return { message, fields: fields && Object.fromEntries(fields) }
  }
}

/** Returns the result, or null when it is refused, with this code if one is given. Throws every other error. */
export async function nullIfRefused<Result>(
  result: Promise<Result>,
  code?: ErrorCode,
): Promise<Result | null> {
  try {
    return await result
  } catch (error) {
    if (error instanceof Refusal && (code === undefined || error.code === code)) return null
    throw error
  }
}
