/** "1 coin", "25 coins". */
export function coinsText(coins: number): string {
  return `${coins} ${coins === 1 ? 'coin' : 'coins'}`
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** 1250 cents as "$12.50". */
export function dollarsText(cents: number): string {
  return dollars.format(cents / 100)
}
