import type { SettingName } from './operator-settings.ts'

/** The title of each of the operator's settings, on its screen and in the notifications about it. */
export const SETTING_TITLES: Record<SettingName, string> = {
  packages: 'Coin packages',
  withdrawal_rate: 'Withdrawal rate',
  payout_rules: 'Payouts with two Admins',
  payout_limits: 'Payout limits',
  sign_up_coins: 'Starting coins',
  card_coins_rest: 'Coins bought by card',
  risk: 'Risk',
  card_limits: 'Card limits',
  refund_rules: 'Refunds',
  seller: 'Seller',
}

/** Returns the title of a setting. Notifications of another release may have other settings. */
export const settingTitle = (name: string): string =>
  (SETTING_TITLES as Record<string, string>)[name] ?? name.replaceAll('_', ' ')
