import { SETTING_TITLES } from '#contract/setting-titles.en.ts'

/**
 * How a property is shown and entered: `dollars` are stored in cents. With `optional` an empty field is stored as null and
 * means "off".
 */
export type SettingField = {
  label: string
  description?: string
  kind: 'number' | 'dollars' | 'switch' | 'text' | 'lines' | 'packages'
  unit?: string
  optional?: true
}
export type SettingSection = {
  title: string
  description: string
  /** Why its recommended value is recommended. */
  recommendation?: string
  fields: Record<string, SettingField>
}

/** The texts of the settings screen: a section for each name of contract/operator-settings.ts, in the order of the screen. */
export const SETTING_SECTIONS: Record<string, SettingSection> = {
  packages: {
    title: SETTING_TITLES.packages,
    description: 'What buyers pay for coins. Purchases already started keep their old price.',
    recommendation:
      'At 20 coins per dollar, the default packages of 500 and 1,000 coins pay out more than they bring in after card fees. At the recommended prices, every package covers its payout.',
    fields: {
      packages: { label: 'Packages', kind: 'packages' },
      cardFeePercent: {
        label: 'Card fee, percent',
        description: 'Of the amount. Used for margins and warnings only.',
        kind: 'number',
        unit: '%',
      },
      cardFeeCents: { label: 'Card fee, fixed', description: 'Per payment.', kind: 'dollars' },
    },
  },
  withdrawal_rate: {
    title: SETTING_TITLES.withdrawal_rate,
    description: 'What workers get for their coins. Requests keep the rate at which they were made.',
    fields: {
      centsPerCoin: {
        label: 'Cents per coin',
        description: 'Whole cents. 5 cents per coin means 20 coins for 1 dollar.',
        kind: 'number',
      },
    },
  },
  payout_rules: {
    title: SETTING_TITLES.payout_rules,
    description:
      'Payouts that one Admin must check and another must release. Weaker rules must be confirmed by another Admin.',
    recommendation:
      'With two or more Admins, one checks and another releases large payouts, first payouts and payouts to new account numbers.',
    fields: {
      twoPersonAboveCents: { label: 'Payouts above', kind: 'dollars', optional: true },
      firstPayout: { label: "A worker's first payout", kind: 'switch' },
      newAccountNumber: { label: 'Payouts to a new account number', kind: 'switch' },
      riskScore: { label: 'Payouts with a risk score of at least', kind: 'number', optional: true },
    },
  },
  payout_limits: {
    title: SETTING_TITLES.payout_limits,
    description: 'What new workers can withdraw.',
    recommendation:
      'Fraud rings usually show up at their first payout, so it is capped. Somebody who takes over an account adds a payout destination of their own. The owner gets an email and can respond during the waiting time.',
    fields: {
      firstPayoutCents: {
        label: 'Maximum first payout',
        description: 'Until the first payout to an account is confirmed.',
        kind: 'dollars',
        optional: true,
      },
      pairCents: {
        label: 'Maximum from one buyer in 30 days',
        description: 'Until the account is verified.',
        kind: 'dollars',
        optional: true,
      },
      destinationWaitHours: {
        label: 'Waiting time for new accounts',
        description: 'How long a new or changed payout destination has to wait before it can be used.',
        kind: 'number',
        unit: 'hours',
      },
    },
  },
  sign_up_coins: {
    title: SETTING_TITLES.sign_up_coins,
    description: 'When they can be spent.',
    recommendation: 'Removes the incentive to open accounts for the starting coins.',
    fields: {
      purchaseCents: {
        label: 'Spendable after card payments of',
        kind: 'dollars',
        optional: true,
      },
    },
  },
  card_coins_rest: {
    title: SETTING_TITLES.card_coins_rest,
    description: 'How long workers who earn them have to wait before they can withdraw them.',
    recommendation:
      'A stolen card is often reported within a day. Only coins from new cards and new buyers are delayed, and honest work takes longer than that.',
    fields: {
      restDays: { label: 'Waiting time', kind: 'number', unit: 'days' },
      trustedRestDays: {
        label: 'Waiting time for known cards and buyers',
        kind: 'number',
        unit: 'days',
      },
      trustedCardDays: { label: 'A card is known after', kind: 'number', unit: 'days' },
      trustedPersonDays: { label: 'A buyer is known after', kind: 'number', unit: 'days' },
    },
  },
  risk: {
    title: SETTING_TITLES.risk,
    description:
      'Withdrawal requests that are stopped until an Admin checks the evidence. Weaker rules must be confirmed by another Admin.',
    recommendation:
      'In the simulation, this stops nearly all requests from fraud rings and few from honest workers. An Admin can clear a stopped request.',
    fields: {
      reviewScore: { label: 'Stop requests with a score of at least', kind: 'number', optional: true },
    },
  },
  card_limits: {
    title: SETTING_TITLES.card_limits,
    description:
      'How much can be bought by card in 24 hours, and how many buyers can ever use one card. Leave empty for no limit.',
    recommendation: 'Stolen cards are tested with many small purchases and shared by several accounts.',
    fields: {
      purchasesPerBuyer: { label: 'Purchases per buyer', kind: 'number', optional: true },
      centsPerBuyer: { label: 'Amount per buyer', kind: 'dollars', optional: true },
      declinesPerBuyer: { label: 'Declined attempts per buyer', kind: 'number', optional: true },
      purchasesPerCard: { label: 'Purchases per card', kind: 'number', optional: true },
      centsPerCard: { label: 'Amount per card', kind: 'dollars', optional: true },
      buyersPerCard: { label: 'Buyers per card', kind: 'number', optional: true },
    },
  },
  refund_rules: {
    title: SETTING_TITLES.refund_rules,
    description:
      'Refunds of card payments that need a second Admin. Weaker rules must be confirmed by another Admin.',
    recommendation: 'One Admin alone cannot refund more than $50.00 of one payment.',
    fields: {
      twoPersonAboveCents: { label: 'Refunds above', kind: 'dollars', optional: true },
    },
  },
  seller: {
    title: SETTING_TITLES.seller,
    description: 'Who sells the coins, as shown on receipts. Issued receipts do not change.',
    fields: {
      legalName: { label: 'Legal name', kind: 'text' },
      address: { label: 'Address', kind: 'lines' },
      email: { label: 'Email', kind: 'text' },
      taxNumber: { label: 'Tax number', kind: 'text' },
      taxName: { label: 'Name of the tax', description: 'For example VAT.', kind: 'text' },
      taxPercent: {
        label: 'Tax rate',
        description: 'If it is 0, receipts show no tax.',
        kind: 'number',
        unit: '%',
      },
      taxAdded: {
        label: 'Add the tax to the prices',
        description: 'Buyers pay the price plus tax. Otherwise, prices include tax.',
        kind: 'switch',
      },
      numberPrefix: {
        label: 'Receipt number prefix',
        description: 'Capital letters, digits, - and /. Numbering continues.',
        kind: 'text',
      },
    },
  },
}
