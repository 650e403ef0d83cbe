import { coinsText, dollarsText, formatNumber } from './amounts.bn.ts'
import type * as english from './risk-texts.en.ts'

const shareText = (percent: number) => `${formatNumber(percent)}% কয়েন`

/** The sentence of each reason of a risk score. Screens list its users below it. */
export const RISK_TEXTS: typeof english.RISK_TEXTS = {
  closed_circle: ({ percent }) =>
    `${shareText(percent)} এসেছে এমন ক্রেতাদের কাছ থেকে, যাঁরা এই কর্মী ছাড়া প্রায় কাউকেই পারিশ্রমিক দেন না।`,
  few_workers: ({ percent }) =>
    `${shareText(percent)} এসেছে এমন ক্রেতাদের কাছ থেকে, যাঁরা তিনজন কর্মী ছাড়া প্রায় কাউকেই পারিশ্রমিক দেন না; এই কর্মী তাঁদের একজন।`,
  dependent_workers: ({ percent }) =>
    `${shareText(percent)} এসেছে এমন ক্রেতাদের কাছ থেকে, যাঁদের কর্মীরা অন্যদের কাছ থেকে প্রায় কিছুই আয় করেন না।`,
  exclusive_tasks: ({ percent }) =>
    `${shareText(percent)} এসেছে এমন টাস্ক থেকে, যেগুলোতে শুধু সেই অল্প কয়েকজন কর্মী পারিশ্রমিক পেয়েছেন, যাঁদের এই ক্রেতারা সবচেয়ে বেশি দেন।`,
  free_coins: ({ percent }) => `${shareText(percent)} আদিতে শুরুর কয়েন ছিল।`,
  own_purchase: ({ percent }) => `${shareText(percent)} এই কর্মী নিজে কিনেছেন।`,
  middleman: ({ percent }) => `${shareText(percent)} আয় করেছেন এমন ব্যবহারকারীরা, যাঁরা পরে ক্রেতা হয়েছেন।`,
  disputed: ({ percent, cents }) =>
    `${shareText(percent)} এসেছে এমন ব্যবহারকারীদের কাছ থেকে, যাঁদের কার্ড পেমেন্ট নিয়ে বিরোধ আছে (${dollarsText(cents)})।`,
  fraud_warning: ({ percent }) =>
    `${shareText(percent)} এসেছে এমন ব্যবহারকারীদের কাছ থেকে, যাঁদের নিয়ে কার্ড নেটওয়ার্ক প্রতারণার সতর্কতা দিয়েছে।`,
  refunded: ({ percent, cents }) =>
    `${shareText(percent)} এসেছে এমন ব্যবহারকারীদের কাছ থেকে, যাঁদের কার্ড পেমেন্ট রিফান্ড করা হয়েছে (${dollarsText(cents)})।`,
  shared_card: ({ percent }) =>
    `${shareText(percent)} এসেছে এমন ব্যবহারকারীদের কাছ থেকে, যাঁদের কার্ডে অন্য অ্যাকাউন্টের জন্যও পেমেন্ট হয়েছে।`,
  card_limits: ({ percent }) =>
    `${shareText(percent)} এসেছে এমন ব্যবহারকারীদের কাছ থেকে, যাঁরা গত ৯০ দিনে কার্ডে কেনার সীমায় পৌঁছেছেন।`,
  shared_destination: ({ others }) => `আরও ${formatNumber(others)} জন ব্যবহারকারী এই অ্যাকাউন্টে টাকা পান।`,
  shared_holder: ({ others }) => `এই অ্যাকাউন্টধারীর নামে আরও ${formatNumber(others)} জন ব্যবহারকারীর অ্যাকাউন্ট আছে।`,
  linked_frozen: () => 'যাঁরা এই কয়েন দিয়েছেন বা একই পেআউট অ্যাকাউন্ট ব্যবহার করেন, তাঁদের একজন স্থগিত আছেন।',
  high_rewards: ({ percent, coins, usual }) =>
    `${shareText(percent)} এসেছে অস্বাভাবিক বেশি পারিশ্রমিক থেকে, সর্বোচ্চ ${coinsText(coins)}; সাধারণত ${coinsText(usual)} দেওয়া হয়।`,
  new_accounts: ({ percent, worker }) => {
    if (percent === 0) return 'কর্মী গত এক সপ্তাহের মধ্যে যোগ দিয়েছেন।'
    return worker
      ? `কর্মী এবং যাঁরা ${shareText(percent)} দিয়েছেন, সবাই গত এক সপ্তাহের মধ্যে যোগ দিয়েছেন।`
      : `যাঁরা ${shareText(percent)} দিয়েছেন, তাঁরা গত এক সপ্তাহের মধ্যে যোগ দিয়েছেন।`
  },
  shared_network: ({ others, sameDevice }) =>
    sameDevice
      ? `কর্মী এবং কয়েনদাতাদের একজন একই নেটওয়ার্ক ও একই ধরনের ডিভাইস ব্যবহার করেছেন; নেটওয়ার্কটি ${formatNumber(others)} জন ব্যবহারকারীর।`
      : `কর্মী এবং কয়েনদাতাদের একজন একই নেটওয়ার্ক ব্যবহার করেছেন; নেটওয়ার্কটি ${formatNumber(others)} জন ব্যবহারকারীর।`,
}

/** Returns the sentence of a reason. Its parameters were checked when the response was read. */
export const riskText: typeof english.riskText = ({ kind, params }) =>
  (RISK_TEXTS[kind] as (params: unknown) => string)(params)
