import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { CENTS_PER_COIN, PACKAGES, type Package } from './product.ts'
import { NO_SELLER, Seller } from './seller.ts'
import { ById, Id, Time, text, Version, whole } from './shapes.ts'
import type { AddedTax } from './tax.ts'

/** A setting's form, the value it has until the operator changes it, and a value that the settings screen recommends. */
type Definition<Schema extends z.ZodMiniObject> = {
  schema: Schema
  default: z.output<Schema>
  /** The reason is in web/features/operator-settings/sections.en.ts. */
  recommended?: z.output<Schema>
}
const setting = <Schema extends z.ZodMiniObject>(definition: Definition<Schema>) => definition

const Packages = z.object({
  packages: z.array(z.object({ coins: whole(1, 1_000_000), priceCents: whole(50, 1_000_000) })).check(
    z.minLength(1, 'Enter at least one package'),
    z.maxLength(8, 'At most 8 packages'),
    z.refine(
      (packages) => new Set(packages.map(({ priceCents }) => priceCents)).size === packages.length,
      'Two packages have the same price',
    ),
  ),
  /** What the card processor keeps of a payment. */
  cardFeePercent: z.number().check(z.minimum(0, 'At least 0'), z.maximum(20, 'At most 20')),
  cardFeeCents: whole(0, 500),
})

/** When a payout needs two Admins (docs/specification/payouts.md#two-admins); null: never for this reason. */
const PayoutRules = z.object({
  twoPersonAboveCents: z.nullable(whole(0, 100_000_000)),
  firstPayout: z.boolean(),
  newAccountNumber: z.boolean(),
  riskScore: z.nullable(whole(0, 100)),
})

/**
 * What the operator tunes at run time (docs/specification/settings.md). Every default keeps the specified behaviour. A
 * property that is added later gets its default at the next start.
 */
export const OPERATOR_SETTINGS = {
  packages: setting({
    schema: Packages,
    default: {
      packages: PACKAGES.map(({ coins, price }) => ({ coins, priceCents: price * 100 })),
      cardFeePercent: 2.9,
      cardFeeCents: 30,
    },
    recommended: {
      packages: [
        { coins: 150, priceCents: 1000 },
        { coins: 500, priceCents: 2800 },
        { coins: 1000, priceCents: 5500 },
        { coins: 10, priceCents: 100 },
      ],
      cardFeePercent: 2.9,
      cardFeeCents: 30,
    },
  }),
  withdrawal_rate: setting({
    schema: z.object({ centsPerCoin: whole(1, 1000) }),
    default: { centsPerCoin: CENTS_PER_COIN },
  }),
  /** Limits of purchases by card in 24 hours, and of the buyers for whom a card may pay; null: no limit. */
  card_limits: setting({
    schema: z.object({
      purchasesPerBuyer: z.nullable(whole(1, 10_000)),
      centsPerBuyer: z.nullable(whole(50, 10_000_000)),
      declinesPerBuyer: z.nullable(whole(1, 1000)),
      purchasesPerCard: z.nullable(whole(1, 10_000)),
      centsPerCard: z.nullable(whole(50, 10_000_000)),
      buyersPerCard: z.nullable(whole(1, 1000)),
    }),
    default: {
      purchasesPerBuyer: null,
      centsPerBuyer: null,
      declinesPerBuyer: null,
      purchasesPerCard: null,
      centsPerCard: null,
      buyersPerCard: null,
    },
    recommended: {
      purchasesPerBuyer: 5,
      centsPerBuyer: 20_000,
      declinesPerBuyer: 6,
      purchasesPerCard: 5,
      centsPerCard: 20_000,
      buyersPerCard: 2,
    },
  }),
  /** Refunds of a card payment above this amount in total need a second Admin; null: none do. */
  refund_rules: setting({
    schema: z.object({ twoPersonAboveCents: z.nullable(whole(0, 10_000_000)) }),
    default: { twoPersonAboveCents: null },
    recommended: { twoPersonAboveCents: 5_000 },
  }),
  risk: setting({
    schema: z.object({
      /** Requests with this score or a higher one are not paid until an Admin clears them; null: none are stopped. */
      reviewScore: z.nullable(whole(30, 100)),
    }),
    default: { reviewScore: null },
    recommended: { reviewScore: 50 },
  }),
  payout_limits: setting({
    schema: z.object({
      /** What a worker can request before the first payout to an account is confirmed. */
      firstPayoutCents: z.nullable(whole(1000, 100_000_000)),
      /** What a worker can withdraw of one buyer's coins of 30 days, until the account is verified. */
      pairCents: z.nullable(whole(1000, 100_000_000)),
      /** The hours from adding or changing a payout destination to its first use. */
      destinationWaitHours: whole(0, 720),
    }),
    default: { firstPayoutCents: null, pairCents: null, destinationWaitHours: 0 },
    recommended: { firstPayoutCents: 2000, pairCents: 2000, destinationWaitHours: 12 },
  }),
  sign_up_coins: setting({
    schema: z.object({
      /** The card payments that make starting coins spendable. Null: they are spendable at once. */
      purchaseCents: z.nullable(whole(100, 100_000_000)),
    }),
    default: { purchaseCents: null },
    recommended: { purchaseCents: 1000 },
  }),
  card_coins_rest: setting({
    schema: z.object({
      /** The days that coins of a card payment rest before the workers who earn them can withdraw them. */
      restDays: whole(0, 180),
      /** The days for a card and a buyer that have both been here for long. */
      trustedRestDays: whole(0, 180),
      trustedCardDays: whole(1, 3650),
      trustedPersonDays: whole(1, 3650),
    }),
    default: { restDays: 0, trustedRestDays: 0, trustedCardDays: 60, trustedPersonDays: 60 },
    recommended: { restDays: 1, trustedRestDays: 0, trustedCardDays: 60, trustedPersonDays: 60 },
  }),
  seller: setting({ schema: Seller, default: NO_SELLER }),
  payout_rules: setting({
    schema: PayoutRules,
    default: { twoPersonAboveCents: null, firstPayout: false, newAccountNumber: false, riskScore: null },
    recommended: { twoPersonAboveCents: 5000, firstPayout: true, newAccountNumber: true, riskScore: 50 },
  }),
}

/** Returns the packages of the setting as they are on the wire, where dollars name a package. */
export function packagesOf({ packages }: SettingValue<'packages'>): Package[] {
  return packages.map(({ coins, priceCents }) => ({ coins, price: priceCents / 100 }))
}

/** Returns the tax that is added to the prices, or null where they include it or there is none. */
export function addedTaxOf({ taxAdded, taxName, taxPercent }: SettingValue<'seller'>): AddedTax | null {
  return taxAdded && taxPercent > 0 ? { name: taxName, percent: taxPercent } : null
}

export type SettingName = keyof typeof OPERATOR_SETTINGS
export type SettingValue<Name extends SettingName> = z.output<(typeof OPERATOR_SETTINGS)[Name]['schema']>

const Name = z.enum(Object.keys(OPERATOR_SETTINGS) as [SettingName, ...SettingName[]])
const Value = z.record(z.string(), z.unknown())

/** A change that waits for another Admin (docs/specification/settings.md#rules-about-admins). */
const SettingProposal = z.object({
  _id: Id,
  value: Value,
  reason: z.string(),
  proposedBy: z.object({ _id: Id, name: z.string() }),
  proposedAt: Time,
  /** When it takes effect without another Admin; null while there is another one. */
  effectiveAt: z.nullable(Time),
})
export type SettingProposal = z.infer<typeof SettingProposal>

/**
 * A setting with its latest changes, newest first. `changedBy` is null for a default, `confirmedBy` for a change that
 * needed no second Admin.
 */
export const OperatorSetting = z.object({
  name: Name,
  version: z.int(),
  value: Value,
  changes: z.array(
    z.object({
      version: z.int(),
      value: Value,
      changedBy: z.nullable(z.string()),
      changedById: z.nullable(Id),
      confirmedBy: z.nullable(z.string()),
      confirmedById: z.nullable(Id),
      changedAt: Time,
      reason: z.string(),
    }),
  ),
  proposal: z.nullable(SettingProposal),
})
export type OperatorSetting = z.infer<typeof OperatorSetting>

export const operatorSettings = endpoint({
  method: 'GET',
  path: '/operator-settings',
  summary: "The operator's settings with their latest changes",
  access: { who: ['Admin'] },
  reply: z.array(OperatorSetting),
})

/**
 * `version` is the one that the Admin saw: a setting that was changed since is not overwritten. Replies with 202 when the
 * change waits for another Admin.
 */
export const changeOperatorSetting = endpoint({
  method: 'PUT',
  path: '/operator-settings/:name',
  summary: "Change one of the operator's settings",
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 120, perNetwork: 1200 },
  params: z.object({ name: z.string().check(z.maxLength(60)) }),
  body: z.object({
    value: Value,
    version: Version,
    reason: text(2_000, 'Enter a reason for the audit log'),
  }),
  reply: OperatorSetting,
  accepted: true,
})

export const decideSettingProposal = endpoint({
  method: 'PATCH',
  path: '/setting-proposals/:id',
  summary: "Confirm another Admin's change of a setting, or withdraw it",
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  body: z.object({ decision: z.enum(['confirm', 'withdraw']) }),
  reply: OperatorSetting,
})
