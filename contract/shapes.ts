import * as z from 'zod/mini'
import { latinDigits } from './digits.ts'
import { EMAIL_MAX, LIST_LIMIT_MAX, NAME_MAX, TEXT_MAX, TITLE_MAX, URL_MAX } from './product.ts'

/** Ids are opaque strings to a client. They are compared as text where PostgreSQL writes them, in small letters. */
export const Id = z.uuid().check(z.toLowerCase())
export const Role = z.enum(['Worker', 'Buyer', 'Admin'])
export const Coins = z.int().check(z.minimum(0))
export const Day = z.string().check(z.refine(isDay, 'Enter a date as yyyy-mm-dd'))
// PostgreSQL has no year 0, and reads no fraction of any length.
export const Time = z.iso
  .datetime()
  .check(z.refine((time) => !time.startsWith('0000') && time.length <= 40, 'This format is not valid'))
/** The version of a thing that the caller has seen; 0 for one that does not exist yet. A change of another version is refused. */
export const Version = z.int().check(z.minimum(0), z.maximum(2_147_483_647))

// PostgreSQL cannot store U+0000 or lone surrogates; both are rejected at the API.
export const storable = z.refine<string>(
  (text) => !text.includes('\u0000') && text.isWellFormed(),
  'Contains characters that cannot be stored',
)

/** Limits a text to `max` characters. The message is made on use: formatting its number costs more than the rest of a schema. */
const bounded = (max: number) =>
  z.maxLength(max, { error: () => `At most ${max.toLocaleString('en-IN')} characters` })
/** Rejects text that consists only of spaces and invisible characters. */
const visible = (required: string) =>
  z.refine<string>((typed) => /[^\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(typed), required)

/** Returns the schema of required text: trimmed, with a maximum length, in any script. */
export function text(max: number, required = 'This field is required') {
  return z.string().check(z.trim(), z.minLength(1, required), visible(required), bounded(max), storable)
}

/** Returns the schema of required text on one line: line breaks and control characters become spaces, as in an input. */
export function line(max: number, required = 'This field is required') {
  const oneLine = z.overwrite<string>((typed) => typed.replace(/[\s\p{Cc}]+/gu, ' ').trim())
  return z.string().check(storable, oneLine, z.minLength(1, required), visible(required), bounded(max))
}
export const Title = line(TITLE_MAX)
export const LongText = text(TEXT_MAX)
export const Name = line(NAME_MAX, 'Name is required')

/**
 * An email address of the form something@something. Comparisons ignore case, and other forms of the same characters, which
 * are replaced here, so that mail goes to the address that is compared.
 */
export const Email = z
  .string()
  .check(
    z.trim(),
    z.normalize('NFKC'),
    z.minLength(1, 'Email is required'),
    z.maxLength(EMAIL_MAX, 'Invalid email format'),
    z.regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u, 'Invalid email format'),
  )

/** The URL of an image; an empty string means none. */
export const PictureUrl = z.string().check(
  z.trim(),
  z.maxLength(URL_MAX, 'This URL is too long'),
  z.refine(
    (value) => value === '' || isWebAddress(value),
    'Enter a URL that starts with http:// or https://',
  ),
)

/** Returns whether a text is the URL of a page or a file on the web, without spaces. */
export function isWebAddress(value: string): boolean {
  const url = URL.parse(value)
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    value.isWellFormed() &&
    !/[\p{Cc}\s]/u.test(value)
  )
}

/** Returns the schema of a whole number, without coercion: "5" is a string. */
export function whole(min: number, max: number) {
  const message = `Enter a whole number from ${min.toLocaleString('en-IN')} to ${max.toLocaleString('en-IN')}`
  return z.int(message).check(z.minimum(min, message), z.maximum(max, message))
}

const digits = (max: number) =>
  z.pipe(
    z.string().check(z.overwrite(latinDigits), z.regex(/^\d{1,9}$/, 'Enter a whole number')),
    z.pipe(z.transform(Number), z.int().check(z.minimum(0), z.maximum(max, `At most ${max}`))),
  )

/** The parameters of every list. Without them it returns its first `LIST_LIMIT_MAX` rows. */
export const paging = {
  limit: z.optional(
    z.pipe(
      digits(1_000_000_000),
      z.pipe(
        z.transform((n: number) => Math.min(n, LIST_LIMIT_MAX)),
        z.int().check(z.minimum(1, 'At least 1')),
      ),
    ),
  ),
  cursor: z.optional(z.string().check(z.maxLength(400))),
}
export const Paging = z.object(paging)
export const PageIndex = digits(100_000)

/** The result of a write, in the form that existing clients read (docs/known-quirks.md). */
export const Updated = z.object({
  acknowledged: z.boolean(),
  matchedCount: z.int(),
  modifiedCount: z.int(),
})
export const Acknowledged = z.object({ acknowledged: z.boolean() })
export const Inserted = z.object({ acknowledged: z.boolean(), insertedId: z.nullable(Id) })

export const ByEmail = z.object({ email: Email })
export const ById = z.object({ id: Id })

/** Returns whether a text is a calendar day as yyyy-mm-dd, from the year 2000 to 9999. */
export function isDay(value: string): boolean {
  const [, year, month, day] = /^([2-9]\d{3})-(\d{2})-(\d{2})$/.exec(value)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return false
  const february = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  const days = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  return days !== undefined && day >= 1 && day <= days
}
