import * as z from 'zod/mini'
import { EMAIL_MAX } from './product.ts'

/** Returns a schema of optional text that PostgreSQL can store. */
const optional = (max: number) =>
  z.string().check(
    z.trim(),
    z.maxLength(max, `At most ${max} characters`),
    z.refine(
      (typed) => typed.isWellFormed() && !/(?!\n)\p{Cc}/u.test(typed),
      'Contains characters that cannot be printed',
    ),
  )

const THOUSANDTHS = 1000

/** Who sells the coins, as receipts print it (docs/specification/receipts.md). Without a tax rate no tax is printed. */
export const Seller = z
  .object({
    legalName: optional(200),
    address: optional(500),
    email: z
      .string()
      .check(
        z.trim(),
        z.maxLength(EMAIL_MAX, 'Invalid email format'),
        z.regex(/^([^\s@\p{C}]+@[^\s@\p{C}]+)?$/u, 'Invalid email format'),
      ),
    taxNumber: optional(60),
    taxName: optional(30),
    /** The rate: a price of 100 without tax is 100 + taxPercent with it. */
    taxPercent: z.number().check(
      z.minimum(0, 'At least 0'),
      z.maximum(99, 'At most 99'),
      z.refine(
        (percent) => Math.abs(percent * THOUSANDTHS - Math.round(percent * THOUSANDTHS)) < 1e-6,
        'At most three decimal places',
      ),
    ),
    /** Whether the tax is added to the prices; otherwise they include it. */
    taxAdded: z.boolean(),
    /** Printed before the number of a receipt. Receipts of the card processor's test mode begin with TEST. */
    numberPrefix: z
      .string()
      .check(
        z.regex(
          /^(?!TEST)[A-Z0-9/-]{0,12}$/,
          'Up to 12 capital letters, digits, - and /, not beginning with TEST',
        ),
      ),
  })
  .check(
    z.refine(({ taxPercent, taxName }) => taxPercent === 0 || taxName !== '', {
      message: 'Enter the name of the tax',
      path: ['taxName'],
    }),
  )

export const NO_SELLER = {
  legalName: '',
  address: '',
  email: '',
  taxNumber: '',
  taxName: '',
  taxPercent: 0,
  taxAdded: false,
  numberPrefix: '',
} satisfies z.infer<typeof Seller>
