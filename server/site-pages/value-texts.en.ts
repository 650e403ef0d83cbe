import { daysText } from '#contract/amounts.en.ts'

/** What the values in the texts of public pages say. */
export const VALUE_TEXTS = {
  coins: 'Coins',
  price: 'Price',
  contactForm: 'Use the [contact form](/#contact) on the home page.',
  maskedEmails: 'Your email address is shown in full to you, to Admins, and to people you work with.',
  publicEmails: 'Your email address is public too.',
  noTax: 'Your card is charged exactly these prices.',
  taxIncluded: (percent: number, name: string) =>
    `Your card is charged exactly these prices, which include ${percent}% ${name}.`,
  taxAdded: (percent: number, name: string) => `${percent}% ${name} is added when you pay.`,
  taskFee: (percent: number, name: string) =>
    `${name} charges a fee of ${percent}% on top, rounded up to a whole coin. The fee is not refunded.`,
  noTaskFee: (name: string) => `${name} charges no fee on top.`,
  noHolding: 'none',
  days: daysText,
  number: (value: number) => String(value),
  appeal: (days: number) => `You can accept it, or appeal it within ${daysText(days)}.`,
  noAppeal: 'A rejection is final.',
}
