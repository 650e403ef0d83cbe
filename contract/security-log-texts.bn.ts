import { PAYMENT_SYSTEM_NAMES } from './amounts.bn.ts'
import type * as english from './security-log-texts.en.ts'

const FACTORS = {
  passkey: 'পাসকি',
  totp: 'অথেনটিকেটর অ্যাপ',
  recovery_code: 'রিকভারি কোড',
} as const
const METHODS = { ...FACTORS, password: 'পাসওয়ার্ড', provider: 'সাইন-ইন সেবা' } as const
const ROLES = { Worker: 'কর্মী', Buyer: 'ক্রেতা', Admin: 'অ্যাডমিন' }
const CHANGES: Record<string, string> = {
  added: 'যোগ করা হয়েছে',
  changed: 'বদলানো হয়েছে',
  removed: 'সরানো হয়েছে',
}

/** The sentence of each kind of security event. `byAdmin`: an Admin did it to the account of another user. */
export const SECURITY_EVENT_TEXTS: typeof english.SECURITY_EVENT_TEXTS = {
  signed_up: ({ method }) =>
    ({
      password: 'অ্যাকাউন্ট খোলা হয়েছে',
      provider: 'সাইন-ইন সেবা দিয়ে অ্যাকাউন্ট খোলা হয়েছে',
      setup_link: 'প্রথম অ্যাডমিনের সেটআপ লিংক দিয়ে অ্যাকাউন্ট খোলা হয়েছে',
    })[method],
  signed_in: ({ method, secondFactor }) => {
    const text = {
      password: 'পাসওয়ার্ড দিয়ে সাইন ইন',
      provider: 'সাইন-ইন সেবা দিয়ে সাইন ইন',
      external_token: 'সাইন-ইন সেবার টোকেন দিয়ে সাইন ইন',
      passkey: 'পাসকি দিয়ে সাইন ইন',
      sign_up: 'অ্যাকাউন্ট খোলার পর সাইন ইন',
      demo: 'ডেমো ব্যবহারকারী হিসেবে সাইন ইন',
    }[method]
    return secondFactor === undefined ? text : `${text}, সঙ্গে ${FACTORS[secondFactor]}`
  },
  new_device: () => 'এই ডিভাইস ও নেটওয়ার্ক থেকে প্রথম সাইন ইন',
  sign_in_failed: ({ reason }) =>
    ({
      wrong_password: 'সাইন ইন ব্যর্থ: ভুল পাসওয়ার্ড',
      unknown_email: 'সাইন ইন ব্যর্থ: এই ইমেইলে কোনো অ্যাকাউন্ট নেই',
      deleted_user: 'সাইন ইন ব্যর্থ: ব্যবহারকারীকে মুছে ফেলা হয়েছে',
      email_not_verified: 'সাইন ইন ব্যর্থ: ইমেইল যাচাই করা হয়নি',
      provider: 'সাইন ইন ব্যর্থ: সাইন-ইন সেবার জবাব গ্রহণ করা হয়নি',
      second_factor: 'সাইন ইন ব্যর্থ: দ্বিতীয় ধাপ ভুল',
      passkey: 'সাইন ইন ব্যর্থ: পাসকি গ্রহণ করা হয়নি',
    })[reason],
  signed_out: () => 'সাইন আউট',
  session_ended: ({ device }, byAdmin) =>
    byAdmin ? `একজন অ্যাডমিন ${device} থেকে সাইন আউট করিয়েছেন` : `${device} থেকে সাইন আউট করা হয়েছে`,
  all_sessions_ended: (_, byAdmin) =>
    byAdmin ? 'একজন অ্যাডমিন সব ডিভাইস থেকে সাইন আউট করিয়েছেন' : 'সব ডিভাইস থেকে সাইন আউট করা হয়েছে',
  password_changed: ({ method }) =>
    method === 'link' ? 'ইমেইলে পাঠানো লিংক দিয়ে পাসওয়ার্ড বদলানো হয়েছে' : 'পাসওয়ার্ড বদলানো হয়েছে',
  password_removed: ({ provider }) => `এখানে যাচাই না করা ইমেইল ${provider} নিশ্চিত করায় পাসওয়ার্ড ও সেশন সরানো হয়েছে`,
  password_reset_requested: () => 'নতুন পাসওয়ার্ড দেওয়ার লিংক চাওয়া হয়েছে',
  password_check_failed: () => 'বর্তমান পাসওয়ার্ড ভুল দেওয়া হয়েছে',
  email_verified: () => 'ইমেইল যাচাই করা হয়েছে',
  email_change_requested: () => 'ইমেইল বদলের অনুরোধ করা হয়েছে',
  email_changed: () => 'ইমেইল বদলানো হয়েছে',
  provider_linked: ({ provider }) => `${provider} দিয়ে সাইন ইন যোগ করা হয়েছে`,
  factor_added: ({ factor }) => `দ্বিতীয় ধাপ যোগ করা হয়েছে: ${FACTORS[factor]}`,
  factor_removed: ({ factor }, byAdmin) =>
    `${byAdmin ? 'একজন অ্যাডমিন দ্বিতীয় ধাপ সরিয়েছেন' : 'দ্বিতীয় ধাপ সরানো হয়েছে'}: ${FACTORS[factor]}`,
  recovery_codes_created: () => 'রিকভারি কোড তৈরি হয়েছে',
  stepped_up: ({ method }) => `পরিচয় নিশ্চিত করা হয়েছে: ${METHODS[method]}`,
  step_up_failed: ({ method }) => `পরিচয় নিশ্চিত করা যায়নি: ${METHODS[method]}`,
  name_changed: ({ from, to }) => `নাম বদলেছে: ${from} থেকে ${to}`,
  role_changed: ({ role }, byAdmin) =>
    byAdmin ? `একজন অ্যাডমিন ভূমিকা বদলে ${ROLES[role]} করেছেন` : `ভূমিকা বদলে ${ROLES[role]} হয়েছে`,
  reviewer_changed: ({ reviewer }) => `আপিল যাচাইয়ের অনুমতি ${reviewer ? 'দেওয়া হয়েছে' : 'ফিরিয়ে নেওয়া হয়েছে'}`,
  payout_destination_changed: ({ change, system }) =>
    `পেআউট অ্যাকাউন্ট ${CHANGES[change] ?? 'বদলানো হয়েছে'}: ${PAYMENT_SYSTEM_NAMES[system]}`,
  api_key_created: ({ name, scopes }) => `${name} নামের API কী তৈরি হয়েছে, অনুমতি: ${scopes}`,
  api_key_revoked: ({ name }) => `${name} নামের API কী বাতিল হয়েছে`,
  api_key_refused: ({ name, reason }) =>
    `${name} নামের API কী গ্রহণ করা হয়নি: ${reason === 'expired' ? 'মেয়াদ শেষ' : 'নেটওয়ার্কটি অনুমোদিত নয়'}`,
  webhook_changed: ({ name, change }) =>
    ({
      created: `${name} ওয়েবহুক এন্ডপয়েন্ট তৈরি হয়েছে`,
      changed: `${name} ওয়েবহুক এন্ডপয়েন্ট বদলানো হয়েছে`,
      deleted: `${name} ওয়েবহুক এন্ডপয়েন্ট মুছে ফেলা হয়েছে`,
      secret_rotated: `${name} ওয়েবহুক এন্ডপয়েন্টের সিক্রেট বদলানো হয়েছে`,
    })[change],
  access_refused: ({ method, path, code }) => `প্রবেশাধিকার দেওয়া হয়নি: ${method} ${path} (${code})`,
  data_exported: ({ data }) =>
    ({
      account: 'অ্যাকাউন্টের সব তথ্য ডাউনলোড করা হয়েছে',
      statement: 'কয়েন স্টেটমেন্ট ডাউনলোড করা হয়েছে',
      security_log: 'নিরাপত্তা লগ ডাউনলোড করা হয়েছে',
      users: 'ব্যবহারকারীদের তালিকা ডাউনলোড করা হয়েছে',
      audit_log: 'অ্যাডমিনদের অডিট লগ ডাউনলোড করা হয়েছে',
      payments: 'পেমেন্টের তালিকা ডাউনলোড করা হয়েছে',
      payouts: 'পেআউটের তালিকা ডাউনলোড করা হয়েছে',
      withdrawals: 'উত্তোলনের অনুরোধের তালিকা ডাউনলোড করা হয়েছে',
      card_transactions: 'কার্ডের লেনদেনের তালিকা ডাউনলোড করা হয়েছে',
      payout_file: 'পেআউটের ফাইল ডাউনলোড করা হয়েছে',
      batch_answers: 'ব্যাচের উত্তর ডাউনলোড করা হয়েছে',
      receipt: 'রসিদ ডাউনলোড করা হয়েছে',
    })[data],
}

/** The name of each kind of security event, for filters. */
export const SECURITY_EVENT_NAMES: typeof english.SECURITY_EVENT_NAMES = {
  signed_up: 'অ্যাকাউন্ট খোলা',
  signed_in: 'সাইন ইন',
  new_device: 'নতুন ডিভাইস',
  sign_in_failed: 'ব্যর্থ সাইন ইন',
  signed_out: 'সাইন আউট',
  session_ended: 'সেশন শেষ',
  all_sessions_ended: 'সব সেশন শেষ',
  password_changed: 'পাসওয়ার্ড বদল',
  password_removed: 'পাসওয়ার্ড মুছে ফেলা',
  password_reset_requested: 'নতুন পাসওয়ার্ডের অনুরোধ',
  password_check_failed: 'বর্তমান পাসওয়ার্ড ভুল',
  email_verified: 'ইমেইল যাচাই',
  email_change_requested: 'ইমেইল বদলের অনুরোধ',
  email_changed: 'ইমেইল বদল',
  provider_linked: 'সাইন-ইন সেবা যোগ',
  factor_added: 'দ্বিতীয় ধাপ যোগ',
  factor_removed: 'দ্বিতীয় ধাপ সরানো',
  recovery_codes_created: 'রিকভারি কোড তৈরি',
  stepped_up: 'পরিচয় নিশ্চিত',
  step_up_failed: 'পরিচয় নিশ্চিত হয়নি',
  name_changed: 'নাম বদল',
  role_changed: 'ভূমিকা বদল',
  reviewer_changed: 'যাচাইকারীর অনুমতি বদল',
  payout_destination_changed: 'পেআউট অ্যাকাউন্ট বদল',
  api_key_created: 'API কী তৈরি',
  api_key_revoked: 'API কী বাতিল',
  api_key_refused: 'API কী গ্রহণ করা হয়নি',
  webhook_changed: 'ওয়েবহুক বদল',
  access_refused: 'প্রবেশাধিকার দেওয়া হয়নি',
  data_exported: 'তথ্য ডাউনলোড',
}
