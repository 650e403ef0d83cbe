/** Card networks by the names that Stripe gives them. */
const NAMES: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** Returns the name of a card network, as people know it: "American Express" for `amex`. */
export function cardBrandName(brand: string): string {
  return NAMES[brand] ?? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`
}
