import type * as english from './setting-titles.en.ts'

/** The title of each of the operator's settings, on its screen and in the notifications about it. */
export const SETTING_TITLES: typeof english.SETTING_TITLES = {
  packages: 'কয়েন প্যাকেজ',
  withdrawal_rate: 'উত্তোলনের হার',
  payout_rules: 'দুই অ্যাডমিনের পেআউট',
  payout_limits: 'পেআউটের সীমা',
  sign_up_coins: 'শুরুর কয়েন',
  card_coins_rest: 'কার্ডে কেনা কয়েন',
  risk: 'ঝুঁকি',
  card_limits: 'কার্ডের সীমা',
  refund_rules: 'রিফান্ড',
  seller: 'বিক্রেতা',
}

/** Returns the title of a setting. */
export const settingTitle: typeof english.settingTitle = (name) =>
  (SETTING_TITLES as Record<string, string>)[name] ?? name.replaceAll('_', ' ')
