import { coinsText, daysText, dollarsText, formatNumber, PAYMENT_SYSTEM_NAMES } from './amounts.bn.ts'
import { freezeReasonText } from './freeze-reasons.bn.ts'
import type * as english from './notification-texts.en.ts'
import type { PaymentSystem } from './product.ts'
import { settingTitle } from './setting-titles.bn.ts'

const accountAt = (system: PaymentSystem) =>
  system === 'Other' ? 'অ্যাকাউন্ট' : `${PAYMENT_SYSTEM_NAMES[system]} অ্যাকাউন্ট`
const ROLES = { Worker: 'কর্মী', Buyer: 'ক্রেতা', Admin: 'অ্যাডমিন' }

/** The sentence of each kind of notification. */
export const NOTIFICATION_TEXTS: typeof english.NOTIFICATION_TEXTS = {
  work_received: ({ worker, title }) => `${worker} “${title}” টাস্কে কাজ জমা দিয়েছেন।`,
  items_received: ({ title, count }) => `“${title}”-এর ${formatNumber(count)}টি আইটেম জমা পড়েছে।`,
  items_approved: ({ title, count, coins }) =>
    `“${title}”-এর ${formatNumber(count)}টি আইটেমে আপনার কাজ অনুমোদিত হয়েছে। আপনি ${coinsText(coins)} আয় করেছেন।`,
  items_agreed: ({ title, count, coins }) =>
    `অন্য কর্মীরা একই উত্তর দেওয়ায় “${title}”-এর ${formatNumber(count)}টি আইটেমে আপনার কাজ নিজে থেকেই অনুমোদিত হয়েছে। আপনি ${coinsText(coins)} আয় করেছেন।`,
  items_approved_by_time: ({ title, count, coins }) =>
    `যাচাইয়ের সময় শেষ হওয়ায় “${title}”-এর ${formatNumber(count)}টি আইটেম নিজে থেকেই অনুমোদিত হয়েছে। কর্মীরা ${coinsText(coins)} আয় করেছেন।`,
  submission_approved: ({ title, coins, decidedBy }) => {
    const paid = {
      buyer: `“${title}” টাস্কে আপনার কাজ অনুমোদিত হয়েছে।`,
      time: `যাচাইয়ের সময় শেষ হওয়ায় “${title}” টাস্কে আপনার কাজ নিজে থেকেই অনুমোদিত হয়েছে।`,
      buyer_left: `“${title}” টাস্কের ক্রেতার অ্যাকাউন্ট মুছে ফেলা হয়েছে, তাই আপনার কাজের পারিশ্রমিক দেওয়া হয়েছে।`,
      concession: `ক্রেতা “${title}” টাস্কে আপনার কাজের প্রত্যাখ্যান ফিরিয়ে নিয়েছেন।`,
      silence: `“${title}” টাস্কের ক্রেতা সময়মতো আপনার আপিলের জবাব দেননি, তাই আপনার পারিশ্রমিক দেওয়া হয়েছে।`,
      reviewer: `একজন যাচাইকারী সিদ্ধান্ত দিয়েছেন যে “${title}” টাস্কে আপনার কাজের পারিশ্রমিক দিতে হবে।`,
      no_reviewer: `“${title}” টাস্কে আপনার কাজের প্রত্যাখ্যান সময়মতো যাচাই হয়নি, তাই আপনার পারিশ্রমিক দেওয়া হয়েছে।`,
      reversal: `ক্রেতা “${title}” টাস্কে আপনার কাজের প্রত্যাখ্যান বদলে অনুমোদন দিয়েছেন।`,
      agreement: `অন্য কর্মীরাও একই উত্তর দেওয়ায় “${title}” টাস্কে আপনার কাজ নিজে থেকেই অনুমোদিত হয়েছে।`,
    }
    return `${paid[decidedBy]} আপনি ${coinsText(coins)} পেয়েছেন।`
  },
  submission_rejected: ({ title, reason, appealDays }) =>
    `“${title}” টাস্কে আপনার কাজ গ্রহণ করা হয়নি।${
      appealDays === undefined ? '' : ` আপিল করার জন্য ${daysText(appealDays)} সময় আছে।`
    }${reason === '' ? '' : ` কারণ: ${reason}`}`,
  bonus_received: ({ buyer, title, coins, message }) =>
    `${buyer} “${title}” টাস্কের জন্য আপনাকে ${coinsText(coins)} বোনাস দিয়েছেন।${message === '' ? '' : ` ${message}`}`,
  rejection_held: ({ title }) =>
    `“${title}” টাস্কের ক্রেতা আপনার কাজ প্রত্যাখ্যান করেছেন। কার্যকর হওয়ার আগে একজন যাচাইকারী প্রত্যাখ্যানটি দেখবেন।`,
  rejection_confirmed: ({ title }) =>
    `একজন যাচাইকারী “${title}” টাস্কের কাজে আপনার দেওয়া প্রত্যাখ্যান বহাল রেখেছেন। এটি এখন কার্যকর হয়েছে, কর্মী আপিল করতে পারবেন।`,
  rejection_final: ({ title, recipient, decidedBy, refunded }) => {
    const subject =
      recipient === 'worker' ? `“${title}” টাস্কে আপনার কাজের প্রত্যাখ্যান` : `“${title}” টাস্কের কাজে আপনার দেওয়া প্রত্যাখ্যান`
    const cause = {
      buyer: 'চূড়ান্ত হয়েছে: আপিলের সময় শেষ।',
      worker: 'মেনে নেওয়া হয়েছে এবং চূড়ান্ত হয়েছে।',
      reviewer: 'একজন যাচাইকারী বহাল রেখেছেন, এটি চূড়ান্ত।',
    }[decidedBy]
    return `${subject} ${cause}${refunded === 0 ? '' : ` ${coinsText(refunded)} ফেরত দেওয়া হয়েছে।`}`
  },
  revision_requested: ({ title, request }) =>
    `“${title}” টাস্কের ক্রেতা আপনাকে কাজটি সংশোধন করতে বলেছেন: ${request}`,
  work_revised: ({ worker, title }) => `${worker} “${title}” টাস্কের কাজ সংশোধন করেছেন।`,
  revision_missed: ({ title, recipient }) =>
    recipient === 'worker'
      ? `“${title}” টাস্কে আপনার কাজ সংশোধনের সময় শেষ। ক্রেতা কাজটি যেমন আছে তেমনই যাচাই করবেন।`
      : `“${title}” টাস্কের কাজ সময়মতো সংশোধন করা হয়নি। কাজটি যেমন আছে তেমনই যাচাই করুন।`,
  appeal_opened: ({ worker, title }) =>
    `“${title}” টাস্কে আপনার প্রত্যাখ্যানের বিরুদ্ধে ${worker} আপিল করেছেন। সময়মতো জবাব দিন, নইলে পারিশ্রমিক দিয়ে দেওয়া হবে।`,
  rejection_defended: ({ title }) =>
    `“${title}” টাস্কের ক্রেতা আপনার কাজের প্রত্যাখ্যানে অটল আছেন। একজন নিরপেক্ষ যাচাইকারী সিদ্ধান্ত দেবেন।`,
  review_assigned: ({ title }) => `“${title}” টাস্কের একটি প্রত্যাখ্যানে আপনার সিদ্ধান্ত দরকার।`,
  rejection_overturned: ({ title, reason }) =>
    `একজন যাচাইকারী “${title}” টাস্কে আপনার প্রত্যাখ্যান বাতিল করেছেন, এবং কর্মীকে পারিশ্রমিক দেওয়া হয়েছে। কারণ: ${reason}`,
  rejection_lapsed: ({ title, state }) =>
    state === 'appealed'
      ? `“${title}” টাস্কের আপিলে আপনি সময়মতো জবাব দেননি, তাই কর্মীকে পারিশ্রমিক দেওয়া হয়েছে।`
      : `“${title}” টাস্কে আপনার প্রত্যাখ্যান সময়মতো যাচাই হয়নি, তাই কর্মীকে পারিশ্রমিক দেওয়া হয়েছে।`,
  deadline_near: ({ title, state }) =>
    ({
      revision_requested: `“${title}” টাস্কে আপনার কাজ সংশোধনের সময় শিগগিরই শেষ হবে।`,
      rejection_open: `“${title}” টাস্কে আপনার কাজের প্রত্যাখ্যানের বিরুদ্ধে আপিলের সময় শিগগিরই শেষ হবে।`,
      appealed: `“${title}” টাস্কের আপিলে জবাব দেওয়ার সময় শিগগিরই শেষ হবে। জবাব না দিলে পারিশ্রমিক দিয়ে দেওয়া হবে।`,
      in_review: `“${title}” টাস্কের কাজে আপনার যাচাইয়ের সময় শিগগিরই শেষ হবে।`,
    })[state],
  review_near: ({ count, title }) =>
    count === 1
      ? `“${title}” টাস্কের কাজ শিগগিরই নিজে থেকে অনুমোদিত হবে। এখনই যাচাই করুন।`
      : `${formatNumber(count)}টি জমা দেওয়া কাজ শিগগিরই নিজে থেকে অনুমোদিত হবে, প্রথমটি “${title}” টাস্কে। এখনই যাচাই করুন।`,
  approved_by_time: ({ worker, title, coins }) =>
    `যাচাইয়ের সময় শেষ হওয়ায় “${title}” টাস্কে ${worker}-এর কাজ নিজে থেকেই অনুমোদিত হয়েছে। পারিশ্রমিক ${coinsText(coins)}।`,
  worker_left: ({ worker, title, refunded, slots = 1 }) =>
    refunded
      ? `${worker}-এর অ্যাকাউন্ট মুছে ফেলা হয়েছে; “${title}” টাস্কে তাঁর ${slots === 1 ? 'স্লটের' : `${formatNumber(slots)}টি স্লটের`} কয়েন ফেরত দেওয়া হয়েছে।`
      : `${worker}-এর অ্যাকাউন্ট মুছে ফেলা হয়েছে; “${title}” টাস্কে তাঁর ${slots === 1 ? 'স্লটটি' : `${formatNumber(slots)}টি স্লট`} আবার খালি হয়েছে।`,
  task_closed: ({ title, coins }) =>
    `“${title}” টাস্কের সময়সীমা শেষ, টাস্কটি বন্ধ হয়েছে${coins > 0 ? `; ${coinsText(coins)} ফেরত দেওয়া হয়েছে` : ''}।`,
  scheduled_task_posted: ({ title, coins }) =>
    `“${title}” নির্ধারিত সময়ে পোস্ট হয়েছে। টাস্কটির এসক্রোতে ${coinsText(coins)} রাখা হয়েছে।`,
  scheduled_task_failed: ({ title, reason }) =>
    `“${title}” নির্ধারিত সময়ে পোস্ট হয়নি, এটি খসড়া হিসেবে আছে। ${reason}`,
  scheduled_batch_posted: ({ title, file, coins }) =>
    `“${title}” প্রজেক্টের “${file}” ব্যাচটি নির্ধারিত সময়ে পোস্ট হয়েছে। টাস্কটির এসক্রোতে ${coinsText(coins)} রাখা হয়েছে।`,
  scheduled_batch_failed: ({ title, file, reason }) =>
    `“${title}” প্রজেক্টের “${file}” ব্যাচটির পেমেন্ট হয়নি। ${reason}`,
  task_refunded: ({ title, coins, byAdmin }) =>
    `${byAdmin ? `একজন অ্যাডমিন আপনার “${title}” টাস্ক মুছে ফেলেছেন` : `আপনি “${title}” টাস্ক মুছে ফেলেছেন`}; ${coinsText(coins)} ফেরত দেওয়া হয়েছে।`,
  task_deleted: ({ title, recipient }) =>
    recipient === 'buyer'
      ? `একজন অ্যাডমিন আপনার “${title}” টাস্ক মুছে ফেলেছেন।`
      : `একজন অ্যাডমিন “${title}” টাস্ক বন্ধ করেছেন। আপনার জমা দেওয়া কাজ তবু যাচাই করা হবে।`,
  reservation_lapsed: ({ title, item }) =>
    item === undefined
      ? `“${title}” টাস্কে আপনার সংরক্ষণের মেয়াদ শেষ। টাস্ক খোলা ও স্লট খালি থাকা পর্যন্ত তবু কাজ জমা দিতে পারবেন।`
      : `“${title}” টাস্কের আইটেম ${formatNumber(item)}-এ আপনার সংরক্ষণের মেয়াদ শেষ। এটি আর জমা দিতে পারবেন না, তবে টাস্ক খোলা ও আইটেম বাকি থাকা পর্যন্ত অন্যগুলো নিতে পারবেন।`,
  reservation_cancelled: ({ title }) => `ক্রেতার অ্যাকাউন্ট মুছে ফেলায় “${title}” টাস্কে আপনার সংরক্ষণ বাতিল হয়েছে।`,
  coins_bought: ({ coins, cents }) => `আপনি ${dollarsText(cents)} দিয়ে ${coinsText(coins)} কিনেছেন।`,
  payment_reversed: ({ recipient, buyer, cause, cents, coins, owed }) => {
    const payment = recipient === 'buyer' ? 'আপনার কার্ড পেমেন্টের' : `${buyer}-এর কার্ড পেমেন্টের`
    if (cause === 'evidence')
      return `${payment} ${dollarsText(cents)} নিয়ে কার্ডের ব্যাংক প্রমাণ চেয়েছে। শেষ সময়ের আগে তা জমা দিন।`
    const event = {
      refund: 'রিফান্ড করা হয়েছে',
      dispute: 'নিয়ে কার্ডের ব্যাংকে বিরোধ তোলা হয়েছে',
      won: 'আবার বহাল হয়েছে, কারণ রিফান্ড বা বিরোধ টেকেনি',
    }[cause]
    const moved = `${coinsText(coins - owed)} ${cause === 'won' ? 'ফেরত দেওয়া হয়েছে' : 'কেটে নেওয়া হয়েছে'}।`
    const debt =
      recipient === 'buyer'
        ? `আরও ${coinsText(owed)} আগেই খরচ হয়ে গেছে; এরপর পাওয়া কয়েন দিয়ে আগে তা শোধ হবে।`
        : `আরও ${coinsText(owed)} আগেই খরচ হয়ে গেছে এবং পাওনা রইল।`
    return `${payment} ${dollarsText(cents)} ${event}। ${moved}${owed === 0 ? '' : ` ${debt}`}`
  },
  dispute_unknown: ({ buyer, intent, cents, status }) =>
    `${buyer}-এর কার্ড পেমেন্টের ${dollarsText(cents)} নিয়ে বিরোধের অবস্থা অজানা: “${status}”। কয়েন আটকে থাকবে; কার্ড প্রসেসরে পেমেন্টটি দেখুন (${intent})।`,
  tasks_held: ({ state, tasks, coins }) => {
    const number = `${formatNumber(tasks)}টি টাস্ক`
    if (state === 'held')
      return `আপনার একটি কার্ড পেমেন্ট নিয়ে বিরোধ চলছে, তাই ${number} আটকে রাখা হয়েছে: খালি স্লটগুলো (${coinsText(coins)}) কেউ নিতে পারবেন না।`
    return state === 'released'
      ? 'আপনার টাস্কগুলো আর আটকে নেই।'
      : `ব্যাংক আপনার কার্ড পেমেন্টের বিরোধে আমাদের বিপক্ষে সিদ্ধান্ত দেওয়ায় ${number} বন্ধ করা হয়েছে। খালি স্লটের ${coinsText(coins)} ফেরত দেওয়া হয়েছে এবং তা দিয়ে আগে আপনার দেনা শোধ হয়েছে।`
  },
  payment_refused: ({ intent, coins, cents }) =>
    `${intent} কার্ড পেমেন্টটি অর্ডারের সঙ্গে মেলে না (${dollarsText(cents)} দিয়ে ${coinsText(coins)})। কোনো কয়েন দেওয়া হয়নি; কার্ড প্রসেসরে দেখুন।`,
  payment_unmatched: ({ intent, cents }) =>
    `${dollarsText(cents)} মূল্যের একটি কার্ড পেমেন্ট এই ডেটাবেসে নেই। কোনো কয়েন দেওয়া হয়নি; কয়েন দিন অথবা রিফান্ড করুন (${intent})।`,
  unmatched_disputed: ({ state, intent, cents }) =>
    state === 'warning'
      ? `কার্ড নেটওয়ার্কের সন্দেহ, ${dollarsText(cents)} মূল্যের একটি অমিল কার্ড পেমেন্ট প্রতারণা। এখন রিফান্ড করলে বিরোধ এড়ানো যাবে (${intent})।`
      : `একটি অমিল কার্ড পেমেন্টের ${dollarsText(cents)} নিয়ে বিরোধ শুরু হয়েছে। কার্ড প্রসেসরের সাইটে জবাব দিন, অথবা এখানে প্রমাণ প্রস্তুত করতে কয়েন দিন (${intent})।`,
  card_cases_opened: ({ count }) =>
    `কার্ড প্রসেসরের হিসাব আমাদের পেমেন্টের সঙ্গে ${formatNumber(count)}টি ক্ষেত্রে মেলেনি।`,
  payout_cases_opened: ({ count, file }) =>
    `${file} স্টেটমেন্টের ${formatNumber(count)}টি সারিতে আপনার সিদ্ধান্ত দরকার।`,
  setting_changed: ({ admin, setting, reason }) =>
    `${admin} “${settingTitle(setting)}” সেটিং বদলেছেন: ${reason}`,
  setting_change_proposed: ({ admin, setting, reason }) =>
    `${admin} “${settingTitle(setting)}” সেটিং বদলাতে চান। পরিবর্তনটি নিশ্চিত করুন বা প্রত্যাখ্যান করুন: ${reason}`,
  setting_change_decided: ({ admin, setting, state }) => {
    const change = `“${settingTitle(setting)}” সেটিংয়ে আপনার পরিবর্তন`
    return admin === null
      ? `অপেক্ষার সময় শেষ: ${change} কার্যকর হয়েছে।`
      : `${admin} ${change} ${state === 'confirmed' ? 'নিশ্চিত করেছেন' : 'প্রত্যাখ্যান করেছেন'}।`
  },
  fraud_warning: ({ buyer, cents, intent }) =>
    `কার্ড নেটওয়ার্কের সন্দেহ, ${buyer}-এর ${dollarsText(cents)} মূল্যের কার্ড পেমেন্টটি প্রতারণা। এখন রিফান্ড করলে বিরোধ এড়ানো যাবে (${intent})।`,
  refund_failed: ({ buyer, cents, intent }) =>
    `${buyer}-কে ${dollarsText(cents)} রিফান্ড করা যায়নি। কার্ড প্রসেসরে পেমেন্টটি দেখুন, তারপর আবার চেষ্টা করুন (${intent})।`,
  unmatched_refund_failed: ({ intent, cents }) =>
    `অমিল কার্ড পেমেন্টের ${dollarsText(cents)} রিফান্ড করা যায়নি। কার্ড প্রসেসরে পেমেন্টটি দেখুন, তারপর আবার সিদ্ধান্ত নিন (${intent})।`,
  payment_unclaimed: ({ buyer, cents, intent }) =>
    `${buyer} একটি মুছে ফেলা অ্যাকাউন্টের জন্য কার্ডে ${dollarsText(cents)} দিয়েছেন। কোনো কয়েন দেওয়া হয়নি; কার্ড প্রসেসরের সাইট থেকে রিফান্ড করুন (${intent})।`,
  withdrawal_requested: ({ worker, coins, cents, system }) =>
    `${worker} ${dollarsText(cents)} (${coinsText(coins)}) তুলতে চান, মাধ্যম: ${PAYMENT_SYSTEM_NAMES[system]}।`,
  withdrawal_paid: ({ coins, cents, system, account }) =>
    `পেমেন্ট সফল: ${coinsText(coins)}ের জন্য ${dollarsText(cents)} আপনার ${accountAt(system)} ${account}-এ পাঠানো হয়েছে।`,
  withdrawal_declined: ({ coins, reason }) =>
    `আপনার ${coinsText(coins)} উত্তোলনের অনুরোধ নামঞ্জুর হয়েছে; কয়েন ফেরত দেওয়া হয়েছে। কারণ: ${reason}`,
  account_frozen: ({ reason }) =>
    `আপনার অ্যাকাউন্ট স্থগিত, তাই কয়েন লেনদেন করা যাবে না। আপনি জবাব দিতে পারেন। কারণ: ${freezeReasonText(reason)}`,
  withdrawal_frozen: ({ coins, reason }) =>
    `আপনার ${coinsText(coins)} উত্তোলন স্থগিত। আপনি জবাব দিতে পারেন। কারণ: ${reason}`,
  freeze_ended: ({ subject, reason }) =>
    `${subject === 'account' ? 'আপনার অ্যাকাউন্ট' : 'আপনার উত্তোলন'} আর স্থগিত নয়। ${freezeReasonText(reason)}`,
  freeze_response: ({ name, response }) => `${name} একটি স্থগিতাদেশের জবাব দিয়েছেন: ${response}`,
  account_number_corrected: ({ coins, system, account }) =>
    `আপনার ${coinsText(coins)} উত্তোলনের টাকা পাঠানো যায়নি। একজন অ্যাডমিন ${accountAt(system)}টি সংশোধন করে ${account} করেছেন; এটি আপনার অ্যাকাউন্ট না হলে আমাদের সঙ্গে যোগাযোগ করুন।`,
  admin_added: ({ admin, name }) =>
    `${admin} ${name}-কে অ্যাডমিন করেছেন। যেখানে দুজন অ্যাডমিন দরকার, সেখানে ${name} ২৪ ঘণ্টা পর গণ্য হবেন।`,
  role_changed: ({ role }) => `আপনার ভূমিকা এখন ${ROLES[role]}।`,
  reviewer_changed: ({ reviewer }) =>
    reviewer
      ? 'আপনি এখন আপিল যাচাই করতে পারেন। খোলা যাচাইগুলো আপনার ড্যাশবোর্ডে আছে।'
      : 'আপনি আর আপিল যাচাই করতে পারবেন না।',
  api_key_created: ({ name }) =>
    `${name} নামের API কী তৈরি হয়েছে। এটি আপনি না করে থাকলে কী-টি বাতিল করুন এবং পাসওয়ার্ড রিসেট করুন।`,
  webhook_stopped: ({ name, cause }) =>
    ({
      failures: `তিন দিন ব্যর্থ হওয়ার পর ${name} ওয়েবহুক এন্ডপয়েন্ট থামানো হয়েছে। আবার চালু করা পর্যন্ত এর ইভেন্ট অপেক্ষায় থাকবে।`,
      gone: `${name} ওয়েবহুক এন্ডপয়েন্ট 410 Gone জবাব দেওয়ায় এটি বন্ধ করা হয়েছে।`,
      password_reset: `আপনার পাসওয়ার্ড রিসেট করা হয়েছে বলে ${name} ওয়েবহুক এন্ডপয়েন্ট থামানো হয়েছে। আবার চালু করার আগে এর URL দেখে নিন।`,
    })[cause],
  qualification_granted: ({ qualification, buyer }) =>
    `${buyer} আপনাকে “${qualification}” যোগ্যতা দিয়েছেন। যেসব টাস্কে এটি লাগে, সেগুলোতে এখন কাজ করতে পারবেন।`,
  qualification_earned: ({ qualification, buyer }) =>
    `আপনি ${buyer}-এর “${qualification}” যোগ্যতা অর্জন করেছেন। যেসব টাস্কে এটি লাগে, সেগুলোতে এখন কাজ করতে পারবেন।`,
  contact_message: ({ name, subject }) => `${name} আপনাকে লিখেছেন: ${subject}`,
}

/** The sentence of several notifications of one kind. */
export const GROUP_TEXTS: typeof english.GROUP_TEXTS = {
  work_received: {
    title: (count, title) => `“${title}” টাস্কে ${count}টি কাজ জমা পড়েছে।`,
    actor: (count, actor) => `${actor} ${count}টি কাজ জমা দিয়েছেন।`,
  },
  work_revised: {
    title: (count, title) => `“${title}” টাস্কে ${count}টি সংশোধিত কাজ জমা পড়েছে।`,
    actor: (count, actor) => `${actor} ${count}টি সংশোধিত কাজ জমা দিয়েছেন।`,
  },
  submission_approved: {
    rest: (count, coins) => `আপনার ${count}টি কাজ অনুমোদিত হয়েছে।${earnedText(coins)}`,
  },
  bonus_received: { rest: (count, coins) => `আপনি ${count}টি বোনাস পেয়েছেন।${earnedText(coins)}` },
  approved_by_time: {
    title: (count, title) => `যাচাইয়ের সময় শেষ হওয়ায় “${title}” টাস্কের ${count}টি কাজ নিজে থেকে অনুমোদিত হয়েছে।`,
    rest: (count) => `যাচাইয়ের সময় শেষ হওয়ায় ${count}টি কাজ নিজে থেকে অনুমোদিত হয়েছে।`,
  },
  appeal_opened: {
    title: (count, title) =>
      `“${title}” টাস্কের কাজ প্রত্যাখ্যানের বিরুদ্ধে ${count}টি আপিল। সময়মতো জবাব দিন, নইলে পারিশ্রমিক দেওয়া হবে।`,
    rest: (count) => `আপনার প্রত্যাখ্যানের বিরুদ্ধে ${count}টি আপিল। সময়মতো জবাব দিন, নইলে পারিশ্রমিক দেওয়া হবে।`,
  },
  review_assigned: {
    title: (count, title) => `“${title}” টাস্কের কাজের ${count}টি প্রত্যাখ্যানে আপনার সিদ্ধান্ত দরকার।`,
    rest: (count) => `${count}টি প্রত্যাখ্যানে আপনার সিদ্ধান্ত দরকার।`,
  },
  task_closed: {
    rest: (count, coins) =>
      `সময়সীমা শেষ হওয়ায় আপনার ${count}টি টাস্ক বন্ধ হয়েছে।${coins ? ` ${coinsText(coins)} ফেরত পেয়েছেন।` : ''}`,
  },
  scheduled_batch_posted: { rest: (count) => `নির্ধারিত সময়ে ${count}টি ব্যাচ পোস্ট হয়েছে।` },
  scheduled_task_posted: { rest: (count) => `নির্ধারিত সময়ে ${count}টি টাস্ক পোস্ট হয়েছে।` },
  coins_bought: {
    rest: (count, coins) => `আপনি ${count} বার কয়েন কিনেছেন${coins ? `, মোট ${coinsText(coins)}` : ''}।`,
  },
  payment_unmatched: {
    rest: (count) => `${count}টি কার্ড পেমেন্ট এই ডেটাবেসে নেই। কয়েন দিন অথবা রিফান্ড করুন।`,
  },
  withdrawal_requested: {
    rest: (count, coins) => `${count}টি উত্তোলনের অনুরোধ${coins ? `, মোট ${coinsText(coins)}` : ''}।`,
  },
  contact_message: { rest: (count) => `${count}টি যোগাযোগের বার্তা।` },
}
const earnedText = (coins: number | null) => (coins ? ` আপনি ${coinsText(coins)} আয় করেছেন।` : '')

/** The subject of each kind that makes an email of its own. */
export const EMAIL_SUBJECTS: typeof english.EMAIL_SUBJECTS = {
  submission_approved: 'আপনার কাজ অনুমোদিত হয়েছে',
  items_approved: 'আপনার কাজ অনুমোদিত হয়েছে',
  items_agreed: 'আপনার কাজ অনুমোদিত হয়েছে',
  submission_rejected: 'আপনার কাজ গ্রহণ করা হয়নি',
  review_near: 'একটি কাজ আপনার যাচাইয়ের অপেক্ষায়',
  bonus_received: 'আপনি একটি বোনাস পেয়েছেন',
  rejection_held: 'আপনার কাজ প্রত্যাখ্যান করা হয়েছে, একজন যাচাইকারী দেখছেন',
  rejection_confirmed: 'একজন যাচাইকারী আপনার প্রত্যাখ্যান বহাল রেখেছেন',
  rejection_final: 'একজন যাচাইকারী প্রত্যাখ্যানটি বহাল রেখেছেন',
  revision_requested: 'অনুগ্রহ করে আপনার কাজ সংশোধন করুন',
  appeal_opened: 'একজন কর্মী আপনার প্রত্যাখ্যানের বিরুদ্ধে আপিল করেছেন',
  rejection_defended: 'আপনার আপিল যাচাইকারীর কাছে যাচ্ছে',
  review_assigned: 'একটি প্রত্যাখ্যানে আপনার সিদ্ধান্ত দরকার',
  rejection_overturned: 'আপনার প্রত্যাখ্যান বাতিল হয়েছে',
  rejection_lapsed: 'একটি প্রত্যাখ্যান টেকেনি, কর্মীকে পারিশ্রমিক দেওয়া হয়েছে',
  deadline_near: 'একটি সময়সীমা শিগগিরই শেষ হবে',
  withdrawal_paid: 'আপনার উত্তোলনের টাকা পাঠানো হয়েছে',
  withdrawal_declined: 'আপনার উত্তোলনের অনুরোধ নামঞ্জুর হয়েছে',
  account_frozen: 'আপনার অ্যাকাউন্ট স্থগিত',
  withdrawal_frozen: 'আপনার উত্তোলন স্থগিত',
  freeze_ended: 'একটি স্থগিতাদেশ শেষ হয়েছে',
  admin_added: 'একজন নতুন অ্যাডমিন হয়েছেন',
  account_number_corrected: 'আপনার উত্তোলনের অ্যাকাউন্ট নম্বর সংশোধন করা হয়েছে',
}
