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
  fields: Record<string, SettingField>
}

/** The texts of the settings screen: a section for each name of contract/operator-settings.ts, in the order of the screen. */
export const SETTING_SECTIONS: Record<string, SettingSection> = {
  packages: {
    title: 'Coin packages',
    description: 'What buyers pay for coins. Purchases already started keep their old price.',
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
    fields: {
      reviewScore: { label: 'Stop requests with a score of at least', kind: 'number', optional: true },
    },
  },
  card_limits: {
    title: 'Card limits',
    description: 'How much can be bought by card in 24 hours. Empty: no limit.',
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

/** Returns the texts of a setting; of one without texts its name and the names of its properties. */
export function sectionOf(name: string, value: Record<string, unknown>): SettingSection {
  const { title = humanize(name), description = '', fields = {} } = SETTING_SECTIONS[name] ?? {}
  // In the order of the texts.
  const names = new Set([
    ...Object.keys(fields).filter((property) => property in value),
    ...Object.keys(value),
  ])
  const properties = Array.from(names, (property) => [
    property,
    fields[property] ?? fieldOf(property, value[property]),
  ])
  return { title, description, fields: Object.fromEntries(properties) as SettingSection['fields'] }
}

function fieldOf(property: string, value: unknown): SettingField {
  const label = humanize(property)
  if (typeof value === 'boolean') return { label, kind: 'switch' }
  if (typeof value === 'string') return { label, kind: 'text' }
  return {
    label,
    kind: property.endsWith('Cents') ? 'dollars' : 'number',
    ...(value === null && { optional: true }),
  }
}

function humanize(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
