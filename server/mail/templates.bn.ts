import { dollarsText, formatNumber, PAYMENT_SYSTEM_NAMES } from '#contract/amounts.bn.ts'
import { EMAIL_SUBJECTS } from '#contract/notification-texts.bn.ts'
import type { PaymentSystem } from '#contract/product.ts'
import { RECEIPT_TITLES } from '#server/receipts/receipt-texts.bn.ts'
import type * as english from './templates.en.ts'
import { type Data, isLink } from './templates.en.ts'

const button = (label: string, url: string | undefined) => (url === undefined ? undefined : { label, url })
const greeting = ({ name = '' }: Data) => (isLink(String(name)) ? 'প্রিয় ব্যবহারকারী,' : `প্রিয় ${name},`)
const number = (value: unknown) => formatNumber(Number(value))

const PROTECTS = 'আপনার অ্যাকাউন্টের সুরক্ষার জন্য আমরা এই ইমেইল পাঠাই। এটি বন্ধ করা যায় না।'
const BY_SETTINGS = 'আপনার ইমেইল সেটিংস অনুযায়ী এই ইমেইল পাঠানো হয়েছে।'
const NOT_YOU = 'এটি আপনি না করে থাকলে এখনই পাসওয়ার্ড রিসেট করুন এবং যোগাযোগের পাতা থেকে আমাদের জানান।'

const FACTOR_CHANGES: Record<string, string> = {
  'authenticator-added': 'আপনার অ্যাকাউন্টের দুই ধাপের সাইন-ইনে একটি অথেনটিকেটর অ্যাপ যোগ করা হয়েছে।',
  'passkey-added': 'আপনার অ্যাকাউন্টে একটি পাসকি যোগ করা হয়েছে।',
  'factor-removed': 'আপনার অ্যাকাউন্ট থেকে একটি অথেনটিকেটর অ্যাপ বা পাসকি সরানো হয়েছে।',
  'recovery-codes-replaced': 'আপনার অ্যাকাউন্টের রিকভারি কোড বদলানো হয়েছে। আগের কোডগুলো আর কাজ করবে না।',
  'recovery-code-used': 'একটি রিকভারি কোড দিয়ে আপনার অ্যাকাউন্টে সাইন ইন করা হয়েছে। কোডটি আর কাজ করবে না।',
  'all-removed': 'আপনার অ্যাকাউন্টের দুই ধাপের সাইন-ইন বন্ধ করা হয়েছে এবং সব রিকভারি কোড মুছে ফেলা হয়েছে।',
}
const PASSWORD_CHANGES: Record<string, string> = {
  link: 'ইমেইলে পাঠানো লিংক দিয়ে আপনার পাসওয়ার্ড বদলানো হয়েছে। সব ডিভাইস থেকে সাইন আউট করা হয়েছে এবং API কী বাতিল হয়েছে।',
  provider:
    'একটি সাইন-ইন সেবা আপনার ইমেইল নিশ্চিত করায় আগের পাসওয়ার্ড সরানো হয়েছে। অন্য সব ডিভাইস থেকে সাইন আউট করা হয়েছে; দুই ধাপের সাইন-ইন, API কী ও ওয়েবহুক এন্ডপয়েন্ট সরানো হয়েছে।',
}
const CHANGES: Record<string, string> = {
  added: 'যোগ করা হয়েছে',
  changed: 'বদলানো হয়েছে',
  created: 'তৈরি হয়েছে',
  deleted: 'মুছে ফেলা হয়েছে',
  removed: 'সরানো হয়েছে',
}
const changed = (change: unknown) => CHANGES[String(change)] ?? 'বদলানো হয়েছে'
const destinationName = ({ system, ending, account }: Data) =>
  system === undefined
    ? String(account)
    : `${PAYMENT_SYSTEM_NAMES[system as PaymentSystem]} (শেষ তিন অঙ্ক ${ending})`

/** Emails that a user cannot switch off, because they protect the account. */
export const TEMPLATES: typeof english.TEMPLATES = {
  'verify-email': (data, link, marketplace) => {
    const replaces = data.purpose === 'change-email'
    return {
      subject: `${marketplace}-এর জন্য আপনার ${replaces ? 'নতুন ইমেইল' : 'ইমেইল'} নিশ্চিত করুন`,
      paragraphs: [
        greeting(data),
        `${replaces ? 'লিংকটি খুললে এটি আপনার অ্যাকাউন্টের ইমেইল হবে।' : 'অনুগ্রহ করে নিশ্চিত করুন যে এই ইমেইল আপনার।'} লিংকটি একবার কাজ করে এবং ${number(data.hours)} ঘণ্টা পর এর মেয়াদ শেষ হয়।`,
      ],
      button: button('ইমেইল নিশ্চিত করুন', link),
      note: replaces
        ? 'এই পরিবর্তন আপনি না চেয়ে থাকলে ইমেইলটি উপেক্ষা করুন।'
        : 'আপনি সাইন আপ না করে থাকলে এই ইমেইল উপেক্ষা করতে পারেন।',
    }
  },
  'reset-password': (data, link, marketplace) => ({
    subject: `${marketplace}-এর পাসওয়ার্ড রিসেট করুন`,
    paragraphs: [
      greeting(data),
      `আপনার অ্যাকাউন্টের পাসওয়ার্ড রিসেট করার অনুরোধ পেয়েছি। লিংকটি একবার কাজ করে এবং ${number(data.minutes)} মিনিট পর এর মেয়াদ শেষ হয়।`,
    ],
    button: button('নতুন পাসওয়ার্ড দিন', link),
    note: 'আপনি এই অনুরোধ না করে থাকলে ইমেইলটি উপেক্ষা করুন। আপনার পাসওয়ার্ড বদলায়নি।',
  }),
  'password-changed': (data, link, marketplace) => ({
    subject: `${marketplace}-এ আপনার পাসওয়ার্ড ${data.method === 'provider' ? 'সরানো' : 'বদলানো'} হয়েছে`,
    paragraphs: [
      greeting(data),
      PASSWORD_CHANGES[String(data.method)] ??
        'আপনার পাসওয়ার্ড বদলানো হয়েছে, এবং অন্য সব ডিভাইস থেকে আপনাকে সাইন আউট করা হয়েছে।',
      'এটি আপনি না করে থাকলে এখনই পাসওয়ার্ড রিসেট করুন।',
    ],
    button: button('পাসওয়ার্ড রিসেট করুন', link),
    note: PROTECTS,
  }),
  'second-factor-changed': (data, link, marketplace) => ({
    subject: `${marketplace}-এ আপনার দুই ধাপের সাইন-ইন বদলানো হয়েছে`,
    paragraphs: [
      greeting(data),
      FACTOR_CHANGES[String(data.change)] ?? 'আপনার অ্যাকাউন্টের দুই ধাপের সাইন-ইন বদলানো হয়েছে।',
      NOT_YOU,
    ],
    button: button('পাসওয়ার্ড রিসেট করুন', link),
    note: PROTECTS,
  }),
  'payout-destination-changed': (data, link, marketplace) => ({
    subject: `${marketplace}-এ একটি পেআউট অ্যাকাউন্ট ${changed(data.change)}`,
    paragraphs: [
      greeting(data),
      `পেআউট অ্যাকাউন্ট ${destinationName(data)} ${changed(data.change)}।`,
      ...(Number(data.hours) > 0 ? [`${number(data.hours)} ঘণ্টা পর এতে টাকা তোলা যাবে।`] : []),
      NOT_YOU,
    ],
    button: button('পাসওয়ার্ড রিসেট করুন', link),
    note: PROTECTS,
  }),
  'api-key-created': (data, link, marketplace) => ({
    subject: `${marketplace}-এ একটি API কী তৈরি হয়েছে`,
    paragraphs: [
      greeting(data),
      `আপনার অ্যাকাউন্টে “${data.key}” নামের API কী তৈরি হয়েছে। এর অনুমতি: ${data.scopes}।`,
      'এটি আপনি না করে থাকলে কী-টি বাতিল করুন, পাসওয়ার্ড রিসেট করুন এবং যোগাযোগের পাতা থেকে আমাদের জানান।',
    ],
    button: button('আমার API কী দেখুন', link),
    note: PROTECTS,
  }),
  'webhook-changed': (data, link, marketplace) => ({
    subject: `${marketplace}-এ একটি ওয়েবহুক এন্ডপয়েন্ট ${changed(data.change)}`,
    paragraphs: [
      greeting(data),
      data.change === 'secret_rotated'
        ? `“${data.endpoint}” ওয়েবহুক এন্ডপয়েন্টের নতুন সিক্রেট তৈরি হয়েছে। আগেরটি আরও ২৪ ঘণ্টা কাজ করবে।`
        : `আপনার অ্যাকাউন্টে “${data.endpoint}” ওয়েবহুক এন্ডপয়েন্ট ${changed(data.change)}। আপনার অ্যাকাউন্টের ইভেন্ট ${data.host}-এ পাঠানো হয়।`,
      'এটি আপনি না করে থাকলে এন্ডপয়েন্টটি মুছে ফেলুন, পাসওয়ার্ড রিসেট করুন এবং যোগাযোগের পাতা থেকে আমাদের জানান।',
    ],
    button: button('এন্ডপয়েন্টটি দেখুন', link),
    note: PROTECTS,
  }),
  'webhook-stopped': (data, link, marketplace) => ({
    subject:
      data.outcome === 'ended'
        ? `${marketplace}-এ একটি ওয়েবহুক এন্ডপয়েন্ট বন্ধ করা হয়েছে`
        : `${marketplace}-এ একটি ওয়েবহুক এন্ডপয়েন্ট থামানো হয়েছে`,
    paragraphs: [
      greeting(data),
      data.outcome === 'ended'
        ? `${data.host}-এর “${data.endpoint}” ওয়েবহুক এন্ডপয়েন্ট 410 Gone জবাব দিয়েছে। এতে আর কোনো ইভেন্ট পাঠানো হবে না।`
        : `${data.host}-এর “${data.endpoint}” ওয়েবহুক এন্ডপয়েন্টে তিন দিন ধরে সব ডেলিভারি ব্যর্থ হয়েছে, তাই এটি থামানো হয়েছে। আবার চালু করা পর্যন্ত নতুন ইভেন্ট সর্বোচ্চ ৩০ দিন অপেক্ষায় থাকবে।`,
    ],
    button: button('এন্ডপয়েন্টটি দেখুন', link),
    note: 'আপনার চালু করা একটি সেবার বিষয়ে আমরা এই ইমেইল পাঠাই। এটি বন্ধ করা যায় না।',
  }),
  'email-changed': (data, _link, marketplace) => ({
    subject: `${marketplace}-এ আপনার ইমেইল বদলানো হয়েছে`,
    paragraphs: [
      greeting(data),
      `আপনার অ্যাকাউন্টের ইমেইল এখন ${data.email}।`,
      'এটি আপনি না করে থাকলে এখনই যোগাযোগের পাতা থেকে আমাদের জানান।',
    ],
    note: 'আপনার অ্যাকাউন্টের সুরক্ষার জন্য আমরা এই ইমেইল আপনার আগের ঠিকানায় পাঠাই। এটি বন্ধ করা যায় না।',
  }),
}

export const notificationEmail: typeof english.notificationEmail = ({
  name,
  kind,
  message,
  url,
  always,
}) => ({
  subject: EMAIL_SUBJECTS[kind],
  paragraphs: [greeting({ name }), message],
  button: { label: 'বিস্তারিত দেখুন', url },
  note: always ? 'মার্কেটপ্লেসের সুরক্ষার জন্য আমরা এই ইমেইল পাঠাই। এটি বন্ধ করা যায় না।' : BY_SETTINGS,
})

export const receiptEmail: typeof english.receiptEmail = ({
  name,
  kind,
  number: label,
  lines,
  cents,
  url,
}) => ({
  subject: `${RECEIPT_TITLES[kind]} ${label}, ${dollarsText(cents)}`,
  paragraphs: [
    greeting({ name }),
    ...lines.map(({ text }) => text),
    `মোট: ${dollarsText(cents)}। নথিটি PDF ফাইল হিসেবে যুক্ত আছে।`,
  ],
  button: { label: 'অনলাইনে দেখুন', url },
  note: 'প্রতিটি পেমেন্টের জন্য আমরা এই ইমেইল পাঠাই। এটি বন্ধ করা যায় না।',
})

export const reviewDigestEmail: typeof english.reviewDigestEmail = ({ name, count, titles, url }) => ({
  subject: `${formatNumber(count)}টি জমা দেওয়া কাজ আপনার যাচাইয়ের অপেক্ষায়`,
  paragraphs: [
    greeting({ name }),
    `${formatNumber(count)}টি জমা দেওয়া কাজ আপনার যাচাইয়ের অপেক্ষায় আছে। সময়মতো যাচাই না করলে কাজ নিজে থেকেই অনুমোদিত হয়।`,
    ...titles.map((title) => `• ${title}`),
  ],
  button: { label: 'এখনই যাচাই করুন', url },
  note: BY_SETTINGS,
})
