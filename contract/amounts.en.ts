/** "1 coin", "25 coins". */
export function coinsText(coins: number): string {
  return `${coins} ${coins === 1 ? 'coin' : 'coins'}`
}

/** "1 day", "7 days". */
export function daysText(days: number): string {
  return `${days} ${days === 1 ? 'day' : 'days'}`
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** 1250 cents as "$12.50". */
export function dollarsText(cents: number): string {
  return dollars.format(cents / 100)
}
