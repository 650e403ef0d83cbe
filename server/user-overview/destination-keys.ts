import { accountNumberOf } from '#contract/withdrawals.ts'

/**
 * Returns the accounts that a typed text can mean, as destinations and requests store them: the text, and a mobile number without
 * country code and check digit.
 */
export function typedAccounts(typed: string): string[] {
  const mobile = accountNumberOf('Bkash', typed) ?? accountNumberOf('Rocket', typed)?.slice(0, 11)
  return [mobile, accountNumberOf('Other', typed)].filter((account) => account !== undefined)
}

/** Returns SQL for the keys of the typed accounts in a parameter. PostgreSQL computes them: its letters are not those of JavaScript. */
export const destinationKeysOf = (parameter: string) =>
  `array(select unnest(account_keys('Other', account)) from unnest(${parameter}::text[]) as typed(account))`

/** Returns SQL that is true for a destination whose holder has one of the spellings in the parameter. */
export const isHeldBy = (spellings: string) =>
  `lower(holder_name) = any (array(select lower(spelling) from unnest(${spellings}::text[]) as spelling))`
