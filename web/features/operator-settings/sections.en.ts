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
    title: 'Coin packages',
    description: 'What buyers pay for coins. Purchases already started keep their old price.',
    recommendation:
      'At 20 coins per dollar the default packages of 500 and 1,000 coins pay out more than they bring in after card fees. At these prices every package covers its payout.',
    fields: {
      packages: { label: 'Packages', kind: 'packages' },
      cardFeePercent: {
        label: 'Card fee, percent',
        description: 'Of the amount. Used for margins and warnings only.',
        kind: 'number',
        unit: '%',
      },
      cardFeeCents: { label: 'Card fee, fixed', description: 'For each payment.', kind: 'dollars' },
    },
  },
  withdrawal_rate: {
    title: 'Withdrawal rate',
    description: 'What workers get for their coins. Requests keep the rate at which they were made.',
    fields: {
      centsPerCoin: {
        label: 'Cents per coin',
        description: 'Whole cents. 5 cents are 20 coins for 1 dollar.',
        kind: 'number',
      },
    },
  },
  payout_rules: {
    title: 'Payouts with two Admins',
    description:
      'Payouts that one Admin checks and another releases. Another Admin has to confirm weaker rules.',
    recommendation:
      'With two Admins or more, one checks and another one releases large payouts, first payouts and payouts to new account numbers.',
    fields: {
      twoPersonAboveCents: { label: 'Payouts above', kind: 'dollars', optional: true },
      firstPayout: { label: "A worker's first payout", kind: 'switch' },
      newAccountNumber: { label: 'Payouts to a new account number', kind: 'switch' },
      riskScore: { label: 'Payouts with a risk score of at least', kind: 'number', optional: true },
    },
  },
  payout_limits: {
    title: 'Payout limits',
    description: 'What new workers can withdraw.',
    recommendation:
      'A ring is seen at its first payout, so the first one is small. Somebody who takes over an account adds a destination of their own. The owner gets an email and has the waiting time to respond.',
    fields: {
      firstPayoutCents: {
        label: 'First payout, at most',
        description: 'Until the first payout to an account is confirmed.',
        kind: 'dollars',
        optional: true,
      },
      pairCents: {
        label: 'From one buyer in 30 days, at most',
        description: 'Until the account is verified.',
        kind: 'dollars',
        optional: true,
      },
      destinationWaitHours: {
        label: 'Waiting time of new accounts',
        description: 'How long a new or changed payout destination waits before its first use.',
        kind: 'number',
        unit: 'hours',
      },
    },
  },
  sign_up_coins: {
    title: 'Sign-up coins',
    description: 'When starting coins can be spent.',
    recommendation: 'Accounts that are opened for their starting coins then bring nothing.',
    fields: {
      purchaseCents: {
        label: 'Spendable after card payments of',
        kind: 'dollars',
        optional: true,
      },
    },
  },
  card_coins_rest: {
    title: 'Coins bought by card',
    description: 'How long workers who earn them wait before a withdrawal.',
    recommendation:
      'A stolen card is often reported within a day. Only the coins of new cards and new buyers are delayed, and honest work takes longer than that (docs/economy.md).',
    fields: {
      restDays: { label: 'Waiting time', kind: 'number', unit: 'days' },
      trustedRestDays: {
        label: 'Waiting time of known cards and buyers',
        kind: 'number',
        unit: 'days',
      },
      trustedCardDays: { label: 'A card is known after', kind: 'number', unit: 'days' },
      trustedPersonDays: { label: 'A buyer is known after', kind: 'number', unit: 'days' },
    },
  },
  risk: {
    title: 'Risk',
    description: 'Withdrawal requests that wait for an Admin to check the evidence.',
    recommendation:
      'In the simulation (docs/economy.md) this stops the requests of nearly all rings, and few of honest workers. An Admin can clear a stopped request.',
    fields: {
      reviewScore: { label: 'Stop requests with a score of at least', kind: 'number', optional: true },
    },
  },
  card_limits: {
    title: 'Card limits',
    description: 'How much can be bought by card in 24 hours. Empty: no limit.',
    recommendation: 'Stolen cards are tested with many small purchases and shared by several accounts.',
    fields: {
      purchasesPerBuyer: { label: 'Purchases of a buyer', kind: 'number', optional: true },
      centsPerBuyer: { label: 'Amount of a buyer', kind: 'dollars', optional: true },
      declinesPerBuyer: { label: 'Declined attempts of a buyer', kind: 'number', optional: true },
      purchasesPerCard: { label: 'Purchases with a card', kind: 'number', optional: true },
      centsPerCard: { label: 'Amount of a card', kind: 'dollars', optional: true },
      buyersPerCard: { label: 'Buyers who use a card', kind: 'number', optional: true },
    },
  },
  refund_rules: {
    title: 'Refunds',
    description:
      'Refunds of card payments that need a second Admin. Another Admin has to confirm weaker rules.',
    recommendation: 'One Admin alone cannot send more than $50.00 back to a card.',
    fields: {
      twoPersonAboveCents: { label: 'Refunds above', kind: 'dollars', optional: true },
    },
  },
  seller: {
    title: 'Seller',
    description: 'Who sells the coins, as receipts show it. Issued receipts do not change.',
    fields: {
      legalName: { label: 'Legal name', kind: 'text' },
      address: { label: 'Address', kind: 'lines' },
      email: { label: 'Email', kind: 'text' },
      taxNumber: { label: 'Tax number', kind: 'text' },
      taxName: { label: 'Name of the tax', description: 'For example VAT.', kind: 'text' },
      taxPercent: {
        label: 'Tax rate',
        description: '0: receipts show no tax.',
        kind: 'number',
        unit: '%',
      },
      taxAdded: {
        label: 'Add the tax to the prices',
        description: 'Buyers pay the price and the tax. Otherwise the prices include it.',
        kind: 'switch',
      },
      numberPrefix: {
        label: 'Prefix of receipt numbers',
        description: 'Capital letters, digits, - and /. Numbering continues.',
        kind: 'text',
      },
    },
  },
}
