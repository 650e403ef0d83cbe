import {
  coinsText,
  dollarsText,
  formatMilliseconds,
  formatNumber,
  hoursText,
  takaText,
} from './amounts.bn.ts'
import type { BatchState } from './batches.ts'
import { EMAIL_UNVERIFIED_HERE } from './openid-errors.bn.ts'
import type { PayoutBatchState, PayoutState } from './payout-states.ts'
import type { RefusalKey, RefusalParams } from './refusals.en.ts'
import type { SubmissionState } from './submission-states.ts'
import {
  unavailableCoinsText,
  withdrawableCoinsText,
  withdrawableToAccountText,
} from './unavailable-coins.bn.ts'

const LANGUAGE_NAMES = new Intl.DisplayNames('bn', { type: 'language' })
const STATE_TEXTS: Record<SubmissionState, string> = {
  pending: 'যাচাইয়ের অপেক্ষায় আছে',
  revision_requested: 'সংশোধন করা হচ্ছে',
  rejection_open: 'প্রত্যাখ্যান করা হয়েছে, তবে আপিল করা যাবে',
  appealed: 'আপিলে আছে এবং ক্রেতার অপেক্ষায় রয়েছে',
  in_review: 'যাচাইকারীর কাছে আছে',
  approved: 'অনুমোদিত হয়েছে',
  rejected: 'প্রত্যাখ্যান করা হয়েছে',
}
const PAYOUT_STATE_TEXTS: Record<PayoutState, string> = {
  queued: 'এখনো পাঠানো হয়নি',
  sent: 'পাঠানো হয়েছে',
  confirmed: 'নিশ্চিত হয়েছে',
  failed: 'ব্যর্থ হয়েছে',
  unknown: 'পাঠানো হয়েছে, তবে ফলাফল জানা যায়নি',
  removed: 'পেআউট ব্যাচ থেকে সরানো হয়েছে',
}
const BATCH_STATE_TEXTS: Record<BatchState, string> = {
  uploading: 'আপলোড হচ্ছে',
  funding: 'মূল্য পরিশোধ হচ্ছে',
  open: 'মূল্য পরিশোধ হয়েছে',
  checking: 'পরীক্ষা করা হচ্ছে',
  checked: 'পরীক্ষা করা হয়েছে',
  cancelled: 'বাতিল করা হয়েছে',
}
const PAYOUT_BATCH_STATE_TEXTS: Record<PayoutBatchState, string> = {
  draft: 'খসড়া অবস্থায় আছে',
  checked: 'যাচাই করা হয়েছে',
  released: 'ছাড়া হয়েছে',
  exported: 'ফাইলে নেওয়া হয়েছে',
  settling: 'নিষ্পত্তি চলছে',
  reconciled: 'মেলানো হয়েছে',
  cancelled: 'বাতিল হয়েছে',
}
const ROLES = { Worker: 'কর্মীদের', Buyer: 'ক্রেতাদের', Admin: 'অ্যাডমিনদের' }

/** The decisions that the parameters of refusals name. */
const DECISIONS: Record<string, string> = {
  approved: 'অনুমোদন করা',
  cancelled: 'বাতিল করা',
  confirmed: 'নিশ্চিত করা',
  declined: 'নামঞ্জুর করা',
  failed: 'ব্যর্থ',
  lapsed: 'মেয়াদোত্তীর্ণ',
  refunded: 'রিফান্ড করা',
  refunding: 'রিফান্ডের জন্য পাঠানো',
  rejected: 'প্রত্যাখ্যান করা',
  withdrawn: 'প্রত্যাহার করা',
}
const decided = (decision: string) => `${DECISIONS[decision] ?? 'নিষ্পত্তি করা'} হয়ে গেছে।`

/** The refusals of contract/refusals.en.ts in Bangla. */
export const REFUSAL_TEXTS: {
  [Key in RefusalKey]: RefusalParams<Key> extends undefined ? string : (params: RefusalParams<Key>) => string
} = {
  invalid_request: 'অনুরোধটি বোঝা যায়নি।',
  'invalid_request.characters': 'এমন অক্ষর আছে যা সংরক্ষণ করা যায় না',
  'invalid_request.cursor': 'এই কার্সর এই তালিকার নয়।',
  'invalid_request.idempotency_key': 'Idempotency-Key-তে ১ থেকে ২০০টি দৃশ্যমান অক্ষর থাকে।',
  'invalid_request.nesting': 'তথ্যের স্তর খুব বেশি গভীর।',
  'invalid_request.several': 'কয়েকটি ঘর ঠিক নেই।',
  'invalid_request.upload_part': 'আপলোডের একটি অংশে অন্তত এক বাইট থাকতে হয়।',
  'invalid_request.validation': ({ message }) => message,
  'invalid_request.webhook': 'এটি কার্ড প্রসেসরের বার্তা নয়।',
  invalid_json: 'অনুরোধের বিষয়বস্তু বৈধ JSON নয়।',

  sign_in_required: 'অনুগ্রহ করে আগে সাইন ইন করুন।',
  'sign_in_required.password': 'ইমেইল যাচাই করতে আপনার অ্যাকাউন্টের পাসওয়ার্ড দিন।',
  'sign_in_required.second_factor': 'সাইন-ইনের সময় শেষ হয়ে গেছে। অনুগ্রহ করে আবার সাইন ইন করুন।',
  invalid_token: 'আপনার সেশন শেষ হয়ে গেছে। অনুগ্রহ করে আবার সাইন ইন করুন।',
  'invalid_token.api_key': 'এই API কী নেই, অথবা বাতিল করা হয়েছে।',
  'invalid_token.api_key_expired': 'এই API কী-র মেয়াদ শেষ। নতুন একটি তৈরি করুন।',
  wrong_credentials: 'ইমেইল বা পাসওয়ার্ড ভুল।',
  'wrong_credentials.changed': 'আপনার সাইন-ইনের তথ্য এইমাত্র বদলেছে। অনুগ্রহ করে আবার সাইন ইন করুন।',
  'wrong_credentials.link': 'যে অ্যাকাউন্ট থেকে লিংকটি চাওয়া হয়েছে, এটি সেই অ্যাকাউন্টের পাসওয়ার্ড নয়।',
  second_factor_required: 'দ্বিতীয় ধাপে নিশ্চিত করুন যে এটি আপনি: কোড বা পাসকি দিন।',
  second_factor_missing: 'আগে দুই ধাপের সাইন-ইন চালু করুন: এখানে অ্যাডমিনদের জন্য এটি আবশ্যক।',
  'second_factor_required.token': 'এই অ্যাকাউন্টে দুই ধাপের সাইন-ইন চালু আছে। এই টোকেন না পাঠিয়ে সাইটে সাইন ইন করুন।',

  'forbidden.admin_sign_up': 'কর্মী বা ক্রেতা হিসেবে সাইন আপ করুন।',
  'forbidden.email_has_account': 'এই ইমেইলে আগে থেকেই একটি অ্যাকাউন্ট আছে। আপনার পাসওয়ার্ড দিয়ে সাইন ইন করুন।',
  not_registered: 'আগে সাইন আপ শেষ করুন: আপনি কর্মী না ক্রেতা, তা বেছে নিন।',
  role_not_allowed: ({ roles }) => `এটি শুধু ${roles.map((role) => ROLES[role]).join(' ও ')} জন্য।`,
  'role_not_allowed.reviewer': 'এটি শুধু যাচাইকারীদের জন্য।',
  not_yours: 'এটি অন্য কারও।',
  'not_yours.review': 'এই যাচাইয়ের দায়িত্ব অন্য একজনের।',
  'not_yours.review_side': 'আপনি এই বিষয়ের একটি পক্ষ, তাই সিদ্ধান্ত অন্য কেউ নেবেন।',
  'not_yours.registration': 'আপনি যে ইমেইলে সাইন ইন করেছেন, শুধু সেটিই নিবন্ধন করতে পারেন।',
  'not_yours.submission': 'আপনি শুধু নিজের নামে কাজ জমা দিতে পারেন।',
  'not_yours.task': 'আপনি শুধু নিজের নামে টাস্ক দিতে পারেন।',
  'not_yours.withdrawal': 'আপনি শুধু নিজের কয়েন তুলতে পারেন।',
  proof_required: 'এর জন্য সাম্প্রতিক সাইন-ইন দরকার। পাসওয়ার্ড নিশ্চিত করুন অথবা আবার সাইন ইন করুন, তারপর আবার চেষ্টা করুন।',
  scope_missing: ({ scope }) => `এই API কী-তে ${scope} অনুমতি নেই।`,
  'scope_missing.none': 'API কী দিয়ে এটি করা যায় না। সাইটে সাইন ইন করুন।',
  network_not_allowed: 'এই নেটওয়ার্ক থেকে এই API কী ব্যবহার করা যায় না।',
  wrong_origin: 'এই অনুরোধ অন্য একটি সাইট থেকে এসেছে।',
  'not_eligible.blocked':
    'এই ক্রেতা আপনাকে আর কাজ দিচ্ছেন না। আপনি যা সংরক্ষণ করেছেন বা জমা দিয়েছেন, তা বহাল থাকবে। অন্য ক্রেতারা এটি দেখতে পান না।',
  'not_eligible.link': 'এই টাস্ক ব্যক্তিগত। ক্রেতার কাছে বর্তমান লিংক চেয়ে সেটি খুলুন।',
  'not_eligible.favourites': ({ minutes }) =>
    `এই টাস্ক প্রথমে ক্রেতার পছন্দের কর্মীদের জন্য। আপনি এটি ${formatMilliseconds(minutes * 60_000)} পরে নিতে পারবেন।`,
  'not_eligible.qualification': ({ qualifications }) =>
    `ক্রেতার এই যোগ্যতা যাঁদের আছে, এই টাস্ক তাঁদের জন্য: ${qualifications}। কীভাবে তা পাওয়া যায়, টাস্কের পাতায় লেখা আছে।`,
  'not_eligible.approved': ({ approved, required }) =>
    `এই টাস্কের জন্য অন্তত ${formatNumber(required)}টি অনুমোদিত জমা লাগে। আপনার আছে ${formatNumber(approved)}টি। আগে অন্য টাস্কে কাজ করুন।`,
  'not_eligible.approval_rate': ({ percent, required }) =>
    `এই টাস্কের জন্য সিদ্ধান্ত হওয়া কাজের অন্তত ${formatNumber(required)}% অনুমোদিত হতে হবে। আপনার ${formatNumber(percent)}%।`,
  'not_eligible.language': ({ language }) =>
    `যাঁরা ${LANGUAGE_NAMES.of(language)} ভাষায় কাজ করেন, এই টাস্ক তাঁদের জন্য। আপনি করলে ভাষাটি আপনার প্রোফাইলে যোগ করুন।`,
  email_not_verified: 'আগে আপনার ইমেইল যাচাই করুন: আমরা যে লিংক পাঠিয়েছি, সেটিতে যান।',
  'email_not_verified.service': 'সাইন-ইন সেবাটি আপনার ইমেইল যাচাই করেনি।',
  'email_not_verified.here': EMAIL_UNVERIFIED_HERE,

  not_found: 'এই ঠিকানায় কিছু নেই।',
  'not_found.api_key': 'এমন কোনো API কী নেই।',
  'not_found.authenticator': 'সেটআপের সময় শেষ হয়ে গেছে। আবার শুরু করুন।',
  'not_found.card_dispute': 'এমন কোনো বিরোধ নেই।',
  'not_found.dispute_file': 'এই ফাইল আগেই সরানো হয়েছে।',
  'not_found.card_case': 'এমন কোনো কেস নেই।',
  'not_found.contact_message': 'এমন কোনো বার্তা নেই।',
  'not_found.factor': 'এটি আগেই সরানো হয়েছে।',
  'not_found.freeze': 'স্থগিতাদেশটি শেষ হয়েছে, অথবা এটি আপনার নয়।',
  'not_found.payout_case': 'এমন কোনো কেস নেই।',
  'not_found.payout_file': 'এমন কোনো ফাইল নেই।',
  'not_found.payout_file_profile': 'এমন কোনো প্রোফাইল নেই।',
  'not_found.project': 'এমন কোনো প্রজেক্ট নেই।',
  'not_found.batch': 'এমন কোনো ব্যাচ নেই।',
  'not_found.worker': 'এই কর্মী এখনো আপনার কোনো কাজ করেননি।',
  'not_found.worker_named': ({ worker }) => `${worker} এখনো আপনার কোনো কাজ করেননি।`,
  'not_found.block': 'এমন কোনো ব্লক নেই।',
  'not_found.qualification': 'এমন কোনো যোগ্যতা নেই।',
  'not_found.task_link': 'এই লিংক বাতিল করা হয়েছে। ক্রেতার কাছে বর্তমান লিংকটি চান।',
  'not_found.refund': 'এমন কোনো রিফান্ড নেই।',
  'not_found.saved_card': 'এই কার্ড আর সংরক্ষিত নেই।',
  'not_found.session': 'এই সেশন আগেই শেষ হয়েছে।',
  'not_found.setting_proposal': 'এমন কোনো পরিবর্তন নেই।',
  'not_found.task_draft': 'এই খসড়াটি পোস্ট করা হয়েছে বা মুছে ফেলা হয়েছে।',
  'not_found.webhook_endpoint': 'এমন কোনো ওয়েবহুক এন্ডপয়েন্ট নেই।',
  'not_found.webhook_delivery': 'এমন কোনো ডেলিভারি নেই।',
  'not_found.sign_in_service': 'এই সাইন-ইন সেবা পাওয়া যাচ্ছে না।',
  user_not_found: 'এমন কোনো ব্যবহারকারী নেই।',
  'user_not_found.deleted': 'ব্যবহারকারীকে পাওয়া যায়নি, অথবা আগেই মুছে ফেলা হয়েছে।',
  'user_not_found.demo': 'এই ডেটাবেসে ডেমো তথ্য নেই।',
  'user_not_found.unmatched_payment': 'এই পেমেন্টের ক্রেতা এখানে নেই। এটি রিফান্ড করুন।',
  'user_not_found.email': 'এই ইমেইলে কোনো ব্যবহারকারী নিবন্ধিত নেই।',
  task_not_found: 'টাস্ক পাওয়া যায়নি!',
  submission_not_found: 'এমন কোনো জমা দেওয়া কাজ নেই।',
  withdrawal_not_found: 'এমন কোনো উত্তোলনের অনুরোধ নেই।',
  payment_not_found: 'এমন কোনো পেমেন্ট নেই।',
  destination_not_found: 'এমন কোনো পেআউট অ্যাকাউন্ট নেই।',
  payout_not_found: 'এমন কোনো পেআউট নেই।',
  payout_batch_not_found: 'এমন কোনো পেআউট ব্যাচ নেই।',

  email_taken: 'এই ইমেইলে আগে থেকেই একটি অ্যাকাউন্ট আছে।',
  insufficient_coins: 'যথেষ্ট কয়েন নেই। কয়েন কিনুন',
  'insufficient_coins.above_balance': 'আপনার কাছে যত কয়েন আছে, তার বেশি তোলা যায় না।',
  'insufficient_coins.sign_up_coins': ({ cents, coins }) =>
    `${dollarsText(cents)} মূল্যের কয়েন কেনার পর শুরুর কয়েন খরচ করা যাবে। এখন ${coinsText(coins)} খরচ করতে পারবেন।`,
  'insufficient_coins.below_minimum': ({ minimum, balance }) =>
    `কমপক্ষে ${coinsText(minimum)} দরকার। আপনার আছে ${coinsText(balance)}।`,
  task_closed: 'এই টাস্ক বন্ধ হয়ে গেছে।',
  'task_closed.held': 'এই টাস্ক আটকে রাখা হয়েছে। এখন কোনো স্লট নেওয়া যাবে না।',
  'task_closed.buyer': 'এই টাস্ক বন্ধ। আগে এটি আবার চালু করুন।',
  task_filled: 'টাস্কটি সম্পূর্ণ হয়ে গেছে',
  'task_filled.items': 'এখন আপনার জন্য কোনো আইটেম বাকি নেই।',
  task_changed: 'টাস্কটি এর মধ্যে বদলেছে, অথবা এই ক্রেতার নয়। জমা দেওয়ার আগে আবার দেখে নিন।',
  'task_changed.text': 'এই টাস্কের লেখা বদলেছে। জমা দেওয়ার আগে আবার পড়ে নিন।',
  'task_changed.fraction': 'টাস্কের পারিশ্রমিক এটি নয়। জমা দেওয়ার আগে আবার দেখে নিন।',
  'task_changed.reward': ({ reward }) => `এই টাস্কের পারিশ্রমিক ${coinsText(reward)}। জমা দেওয়ার আগে আবার দেখে নিন।`,
  deadline_passed: 'এই টাস্কের সময়সীমা পেরিয়ে গেছে।',
  'deadline_passed.review': 'যাচাইয়ের সময় শেষ হয়েছে। কাজটি নিজে থেকে অনুমোদিত হবে।',
  'deadline_passed.defence': 'জবাব দেওয়ার সময় শেষ হয়েছে। কর্মী পারিশ্রমিক পাবেন।',
  'deadline_passed.reversal': 'এই প্রত্যাখ্যান বদলানোর সময় পেরিয়ে গেছে।',
  'deadline_passed.scheduled': 'কাজ শেষের তারিখ এমন হতে হবে, যাতে পোস্ট হওয়ার পর টাস্কটি অন্তত এক ঘণ্টা খোলা থাকে।',
  'deadline_passed.new_task': 'সময়সীমা আজ বা আজকের পরে হতে হবে।',
  own_task: 'নিজের টাস্কে কাজ করা যায় না।',
  already_submitted: 'এই টাস্কে আপনার কাজ আগে থেকেই আছে।',
  'already_submitted.item': 'এই আইটেমের কাজ আপনি আগেই জমা দিয়েছেন।',
  'already_decided.card_case': 'এই কেসের মীমাংসা আগেই হয়েছে।',
  'already_decided.refund': ({ state }) => `এই রিফান্ড আগেই ${decided(state)}`,
  'already_decided.setting_proposal': ({ state }) => `এই পরিবর্তন আগেই ${decided(state)}`,
  'already_decided.submission': ({ status }) => `এই কাজ আগেই ${decided(status)}`,
  'already_decided.review': 'এই যাচাইয়ের সিদ্ধান্ত আগেই হয়েছে।',
  'already_decided.unmatched_payment': ({ state }) =>
    state === 'credited' ? 'এই পেমেন্টের কয়েন আগেই দেওয়া হয়েছে।' : `এই পেমেন্ট আগেই ${decided(state)}`,
  'already_decided.unmatched_request': 'এই সিদ্ধান্ত আগেই অনুমোদন বা বাতিল করা হয়েছে।',
  'already_decided.unmatched_requested': 'এই পেমেন্টের একটি সিদ্ধান্ত অন্য একজন অ্যাডমিনের অপেক্ষায় আছে।',
  'already_decided.withdrawal': ({ status }) => `এই অনুরোধ আগেই ${decided(status)}`,
  'already_decided.paid': ({ admin }) =>
    admin === null ? 'এই অনুরোধের টাকা আগেই পরিশোধ করা হয়েছে।' : `${admin} এই অনুরোধের টাকা আগেই পরিশোধ করেছেন।`,
  'already_decided.payout_case': 'এই কেসের মীমাংসা আগেই হয়েছে।',
  'already_decided.payout_transaction': ({ transaction }) =>
    `এই পেআউট আগেই ${transaction} লেনদেন দিয়ে নিশ্চিত হয়েছে।`,
  reservation_limit: ({ limit }) =>
    `আপনার ${formatNumber(limit)}টি সংরক্ষিত স্লট আছে। আগে একটির কাজ জমা দিন অথবা একটি ফেরত দিন।`,
  reservation_lapsed:
    'এই টাস্কে আপনার সংরক্ষণের মেয়াদ দুইবার শেষ হয়েছে। স্লট খালি থাকা পর্যন্ত সংরক্ষণ ছাড়াও কাজ জমা দিতে পারবেন।',
  'reservation_lapsed.items':
    'গত ২৪ ঘণ্টায় আপনার অনেকগুলো সংরক্ষিত আইটেমের মেয়াদ শেষ হয়েছে। সর্বোচ্চ ২৪ ঘণ্টা পর আবার আইটেম নিতে পারবেন।',
  score_too_low:
    'এই ক্রেতার কাজে আপনার অনেকগুলো উত্তর সঠিক হয়নি, তাই আপনি এই আইটেমগুলো আর পাবেন না। যা জমা দিয়েছেন, তা আগের মতোই যাচাই হবে এবং অনুমোদিত হলে পারিশ্রমিক পাবেন।',
  refund_mismatch: 'লেজারে ঠিক এই পরিমাণ কয়েনের কোনো রিফান্ড নেই।',
  last_admin: 'শেষ অ্যাডমিনকে সরানো যায় না: আগে অন্য কাউকে অ্যাডমিন করুন।',
  yourself: 'আপনার জন্য এটি অন্য একজন অ্যাডমিনকে করতে হবে।',
  'yourself.freeze': 'আপনার অ্যাকাউন্টের এই সিদ্ধান্ত অন্য একজন অ্যাডমিনকে নিতে হবে।',
  'yourself.payment': 'আপনার নিজের পেমেন্টের সিদ্ধান্ত অন্য একজন অ্যাডমিন নেবেন।',
  'yourself.refund': 'আপনার রিফান্ড অন্য একজন অ্যাডমিনকে অনুমোদন করতে হবে।',
  'yourself.unmatched_payment': 'আপনার সিদ্ধান্ত অন্য একজন অ্যাডমিনকে অনুমোদন করতে হবে।',
  'yourself.setting': 'আপনার পরিবর্তন অন্য একজন অ্যাডমিনকে নিশ্চিত করতে হবে।',
  'yourself.withdrawal': 'আপনার নিজের অনুরোধের সিদ্ধান্ত অন্য একজন অ্যাডমিন নেবেন।',
  payment_mismatch: 'এই পেমেন্ট ওই প্যাকেজের নয়। কোনো কয়েন যোগ হয়নি।',
  payment_not_succeeded: 'পেমেন্টটি সম্পন্ন হয়নি। আপনার টাকা কাটা হয়নি এবং কোনো কয়েন যোগ হয়নি।',
  destination_waiting: ({ hours }) => `এই পেআউট অ্যাকাউন্ট নতুন। ${hoursText(hours)} পর এতে টাকা তুলতে পারবেন।`,
  'destination_waiting.unsaved': ({ hours }) =>
    `এই অ্যাকাউন্ট নতুন। আগে এটি পেআউট অ্যাকাউন্ট হিসেবে সংরক্ষণ করুন; তার ${hoursText(hours)} পর এতে টাকা তুলতে পারবেন।`,
  'destination_waiting.corrected': ({ worker, hours }) =>
    `${worker}-এর সংশোধিত অ্যাকাউন্ট নম্বরটি নতুন। ${hoursText(hours)} পর এতে টাকা পাঠানো যাবে।`,
  'payout_limit.corrected_account': ({ limit }) =>
    `কোনো অ্যাকাউন্টে প্রথম পেআউট সর্বোচ্চ ${dollarsText(limit)}। অনুরোধটি নামঞ্জুর করুন, যাতে কর্মী কম চাইতে পারেন।`,
  payout_limit: ({ coins, later }) =>
    [withdrawableCoinsText(coins), ...later.map(unavailableCoinsText)].join(' '),
  'payout_limit.first_payout': ({ coins, limit }) =>
    `কোনো অ্যাকাউন্টে প্রথম পেআউট সর্বোচ্চ ${dollarsText(limit)}। ${withdrawableToAccountText(coins)} সেটি পরিশোধ হওয়ার পর আরও তুলতে পারবেন।`,
  holding_time: ({ coins }) => `আয়ের কয়েক দিন পর কয়েন তোলা যায়। ${withdrawableCoinsText(coins)}`,
  'state_conflict.webhook_endpoints': ({ max }) =>
    `আপনার ${formatNumber(max)}টি ওয়েবহুক এন্ডপয়েন্ট আছে। আগে একটি মুছে ফেলুন।`,
  'state_conflict.upload_offset': ({ received }) =>
    `এই অংশটি আপলোডের পরের অংশ নয়; এ পর্যন্ত ${formatNumber(received)} বাইট জমা হয়েছে।`,
  'state_conflict.projects': ({ max }) => `আপনার ${formatNumber(max)}টি প্রজেক্ট আছে। আগে একটি আর্কাইভ করুন।`,
  'state_conflict.task_text': 'এর মধ্যে টাস্কটি বদলানো হয়েছে। বর্তমান লেখাটি দেখুন।',
  'state_conflict.project': 'এর মধ্যে প্রজেক্টটি বদলানো হয়েছে। বর্তমান সংস্করণটি দেখুন।',
  'state_conflict.project_archived': 'প্রজেক্টটি আর্কাইভ করা আছে। আগে এটি ফিরিয়ে আনুন।',
  'state_conflict.blocks': ({ max }) =>
    `আপনি ${formatNumber(max)} জন কর্মীকে ব্লক করেছেন। আগে একটি ব্লক তুলে নিন।`,
  'state_conflict.qualifications': ({ max }) => `আপনার ${formatNumber(max)}টি যোগ্যতা আছে। আগে একটি মুছুন।`,
  'state_conflict.qualification_name': 'এই নামে আপনার একটি যোগ্যতা আগে থেকেই আছে।',
  'state_conflict.qualification_required': 'একটি খোলা টাস্কে এই যোগ্যতা লাগে। আগে টাস্কটি বন্ধ করুন।',
  'state_conflict.qualification_deleted':
    'এই টাস্কে লাগে এমন একটি যোগ্যতা মুছে ফেলা হয়েছে। এর বদলে নতুন টাস্ক পোস্ট করুন।',
  'state_conflict.batches': ({ max }) =>
    `আপনার ${formatNumber(max)}টি ফাইলের মূল্য এখনো দেওয়া হয়নি। আগে একটি বাতিল করুন।`,
  'state_conflict.batch': ({ state }) => `এখন এটি সম্ভব নয়: ব্যাচটি ${BATCH_STATE_TEXTS[state]}।`,
  'state_conflict.batch_errors': ({ errors }) =>
    `ফাইলে ${formatNumber(errors)}টি ভুল আছে। ঠিক করে আবার আপলোড করুন।`,
  'state_conflict.batch_task': 'এই টাস্কে অনেক আইটেম আছে। পরেরটি নিন।',
  'state_conflict.batch_fixed': 'এই টাস্কের লেখা ও স্লট এর ব্যাচ থেকে আসে। এর বদলে নতুন ব্যাচ আপলোড করুন।',
  'state_conflict.batch_raising': 'এই ব্যাচে এখন কর্মী যোগ করা হচ্ছে। এক মিনিট পরে আবার চেষ্টা করুন।',
  'state_conflict.plain_task': 'এই টাস্কে কোনো আইটেম নেই। এর বদলে একটি স্লট সংরক্ষণ করুন।',
  'state_conflict.item': 'এই আইটেম আর আপনার জন্য সংরক্ষিত নেই। পরেরটি নিন।',
  'state_conflict.revised_form': 'যে প্রশ্নগুলোর উত্তর দিয়ে কাজটি জমা দিয়েছেন, সেগুলো দিয়েই সংশোধন করুন।',
  'state_conflict.batch_chunk': ({ number }) =>
    `অংশগুলো ক্রমানুসারে আপলোড করুন। এরপর ${formatNumber(number)} নম্বর অংশ।`,
  'state_conflict.batch_bytes': ({ bytes }) => `আপলোড সম্পূর্ণ হয়নি: ${formatNumber(bytes)} বাইট পাওয়া গেছে।`,
  'state_conflict.webhook_ended': 'এই এন্ডপয়েন্ট বন্ধ হয়ে গেছে। নতুন একটি তৈরি করুন।',
  'state_conflict.webhook_paused': 'এই এন্ডপয়েন্ট থামানো আছে। আগে এটি আবার চালু করুন।',
  'state_conflict.webhook_pending': 'এই ইভেন্ট পাঠানো হচ্ছে।',
  'state_conflict.task_draft':
    'এর মধ্যে খসড়াটি বদলানো হয়েছে। আপনার লেখাটি নতুন একটি হিসেবে সংরক্ষণ করুন, তারপর বর্তমান সংস্করণটি দেখতে এটি আবার খুলুন।',
  'state_conflict.task_drafts': ({ max }) => `আপনার ${formatNumber(max)}টি খসড়া ও টেমপ্লেট আছে। আগে একটি মুছুন।`,
  'state_conflict.scheduled_template': 'টেমপ্লেটের সময় নির্ধারণ করা যায় না। আগে এটি খসড়া হিসেবে সংরক্ষণ করুন।',
  'state_conflict.api_keys': ({ max }) =>
    `আপনার ${formatNumber(max)}টি API কী আছে। যেটি আর ব্যবহার করেন না, আগে সেটি বাতিল করুন।`,
  'state_conflict.card_limit': 'কার্ডে কেনাকাটার সীমায় পৌঁছে গেছেন। আগামীকাল আবার চেষ্টা করুন, অথবা আমাদের সঙ্গে যোগাযোগ করুন।',
  'state_conflict.card_buyers':
    'আপনি যে কার্ডে টাকা দিয়েছিলেন, সেটি অনেক বেশি অ্যাকাউন্টে ব্যবহার করা হয়েছে। আরও কয়েন কিনতে আমাদের সঙ্গে যোগাযোগ করুন।',
  'state_conflict.dispute_takes_no_evidence': 'এই বিরোধে ব্যাংক এখন আর প্রমাণ নেয় না।',
  'state_conflict.evidence_changed':
    'আপনি খোলার পর এই প্রমাণ পরিবর্তন করা হয়েছে। নিজের লেখা কপি করে পেজটি আবার লোড করুন।',
  'state_conflict.evidence_submitted': 'প্রমাণ আগেই ব্যাংকে জমা দেওয়া হয়েছে।',
  'state_conflict.disputed_withdrawal': ({ worker }) =>
    `${worker}-এর অনুরোধের কয়েন এমন একটি কার্ড পেমেন্টের, যা নিয়ে বিরোধ চলছে। বিরোধ শেষ হলে অনুরোধটির টাকা দেওয়া যাবে।`,
  account_frozen: 'আপনার অ্যাকাউন্ট স্থগিত, তাই কয়েন লেনদেন করা যাবে না। কারণ জানতে ও জবাব দিতে আপনার নোটিফিকেশন খুলুন।',
  'account_frozen.payout': ({ worker }) => `${worker}-এর অ্যাকাউন্ট স্থগিত। টাকা দেওয়ার আগে স্থগিতাদেশ তুলে নিন।`,
  withdrawal_frozen: ({ worker }) => `${worker}-এর অনুরোধ স্থগিত। টাকা দেওয়ার আগে স্থগিতাদেশ তুলে নিন।`,
  risk_review: ({ worker }) =>
    `ঝুঁকির স্কোর ${worker}-এর অনুরোধ আটকে দিয়েছে। কারণগুলো দেখুন, তারপর ছাড় দিন অথবা নামঞ্জুর করুন।`,
  'state_conflict.destination': ({ account }) =>
    `এটি এই পেআউট অ্যাকাউন্টের নম্বর নয়; সেটি হলো ${account}। চাওয়ার আগে আবার দেখে নিন।`,
  'state_conflict.destination_changes': ({ changes }) =>
    `২৪ ঘণ্টায় ${formatNumber(changes)}টি পেআউট অ্যাকাউন্ট যোগ বা বদল করা যায়। অনুগ্রহ করে আগামীকাল আবার চেষ্টা করুন।`,
  'state_conflict.destination_exists': 'এই অ্যাকাউন্ট দিয়ে আপনার একটি পেআউট অ্যাকাউন্ট আগে থেকেই আছে।',
  'state_conflict.destinations': 'সর্বোচ্চ ৫টি পেআউট অ্যাকাউন্ট রাখা যায়। আগে একটি সরান।',
  claimed: ({ admin }) => `${admin} এই অনুরোধের টাকা দিচ্ছেন।`,
  'claimed.batch': ({ admin }) => `এই অনুরোধ ${admin}-এর একটি পেআউট ব্যাচে আছে। আগে সেখান থেকে সরান।`,
  payout_under_way: 'এই অনুরোধের একটি পেআউট পাঠানো হয়েছে। ফলাফল জানা পর্যন্ত অপেক্ষা করুন।',
  'payout_under_way.unknown':
    'এই পেআউট পৌঁছেছে কি না, এখনো জানা যায়নি। শুধু স্টেটমেন্ট বা পেমেন্টের সেবাদাতা এর নিষ্পত্তি করতে পারে।',
  'payout_under_way.stopped':
    'ফাইল তৈরির পর এই অনুরোধ থামানো হয়েছে। ফাইলটি আপলোড হয়ে থাকলে “অজানা” চিহ্ন দিন: স্টেটমেন্টে এর নিষ্পত্তি হবে।',
  'second_person_required.new_admin': ({ name, hours }) =>
    `${name} ২৪ ঘণ্টার কম সময় আগে অ্যাডমিন হয়েছেন। যেখানে দুজন অ্যাডমিন দরকার, সেখানে ${name} ${hoursText(hours)} পর গণ্য হবেন।`,
  second_person_required: 'এই পেমেন্টে দুজন অ্যাডমিন দরকার: একজন যাচাই করেন, আরেকজন টাকা দেন।',
  'state_conflict.authenticator': 'এই অ্যাপ আগেই যোগ করা হয়েছে। রিকভারি কোড দেখে না থাকলে নতুন কোড তৈরি করুন।',
  'state_conflict.factors': 'একটি অ্যাকাউন্টে সর্বোচ্চ দশটি অথেনটিকেটর অ্যাপ ও পাসকি রাখা যায়। আগে একটি সরান।',
  'state_conflict.job': 'একই কাজ আগে থেকেই অপেক্ষায় আছে।',
  'state_conflict.last_factor': 'এখানে অ্যাডমিনদের দুই ধাপের সাইন-ইন আবশ্যক। এটি সরানোর আগে আরেকটি উপায় যোগ করুন।',
  'state_conflict.no_factor': 'আগে দুই ধাপের সাইন-ইন চালু করুন।',
  'state_conflict.no_password': 'আপনার অ্যাকাউন্টে এখনো পাসওয়ার্ড নেই। পাসওয়ার্ড দিতে রিসেট লিংক চেয়ে নিন।',
  'state_conflict.passkey': 'এই পাসকি আগে থেকেই নিবন্ধিত।',
  'state_conflict.payment_credited': ({ coins, repaid, balance, debt }) =>
    [
      `এই প্যাকেজের আগের পেমেন্ট সফল হয়েছে: আপনি ${coinsText(coins)} কিনেছেন${repaid === 0 ? '' : `, যার মধ্যে ${coinsText(repaid)} দিয়ে আপনার দেনা শোধ হয়েছে`}।`,
      `আপনার ব্যালান্স ${coinsText(balance)}।`,
      ...(debt === 0 ? [] : [`আপনার আরও ${coinsText(debt)} দেনা আছে।`]),
      'টাকা একবারই কাটা হয়েছে। আরও কিনতে প্যাকেজটি আবার বেছে নিন।',
    ].join(' '),
  'state_conflict.payment_processing': 'এই প্যাকেজের আগের পেমেন্ট এখনো প্রক্রিয়াধীন। সম্পন্ন হলেই আপনার কয়েন যোগ হবে।',
  'state_conflict.exchange_rate_expired': 'বিনিময় হারের মেয়াদ শেষ। নতুন হার দিন, তারপর পেআউট ব্যাচটি ছাড়ুন।',
  'state_conflict.payout_amount': ({ poisha }) =>
    poisha === null
      ? 'বিনিময় হারের মেয়াদ শেষ, তাই পেমেন্টটি এখন শুধু ডলারে। নিশ্চিত করার আগে আবার খুলে দেখুন।'
      : `বিনিময় হার বদলেছে: এই পেমেন্ট এখন ${takaText(poisha)}। নিশ্চিত করার আগে আবার খুলে দেখুন।`,
  'state_conflict.payout_case': 'এই কেস শুধু বন্ধ করা যায়: এর পেআউটের নিষ্পত্তি হয়েছে, অথবা এই সারি দিয়ে হয় না।',
  'state_conflict.payout_file_profile': 'অন্য কেউ এই প্রোফাইল বদলেছেন। বদলানোর আগে আবার লোড করুন।',
  'state_conflict.payout_file_profile_name': 'অন্য একটি প্রোফাইলের এই নাম আছে।',
  'state_conflict.promotion_email': 'অ্যাডমিন হওয়ার আগে তাঁকে ইমেইল যাচাই করতে হবে।',
  'state_conflict.promotion_factor': 'অ্যাডমিন হওয়ার আগে তাঁকে দুই ধাপের সাইন-ইন চালু করতে হবে।',
  'state_conflict.promotion_password': 'অ্যাডমিন হওয়ার আগে তাঁকে কমপক্ষে ৮ অক্ষরের পাসওয়ার্ড দিতে হবে।',
  'state_conflict.promotion_password_unknown':
    'অ্যাডমিন হওয়ার আগে তাঁকে পাসওয়ার্ড দিয়ে আবার সাইন-ইন করতে হবে, যাতে পাসওয়ার্ডের দৈর্ঘ্য যাচাই করা যায়।',
  'state_conflict.refund_disputed': 'এই পেমেন্ট নিয়ে বিরোধ চলছে। বিরোধে হারলে ব্যাংক টাকা ফেরত দেয়।',
  'state_conflict.refund_nothing_left': 'এই পেমেন্টের রিফান্ড করার মতো কিছু বাকি নেই।',
  'state_conflict.refund_open': 'এই পেমেন্টের আরেকটি রিফান্ড এখনো শেষ হয়নি।',
  'state_conflict.sandbox': 'এই পেমেন্ট যে অবস্থায় আছে, তাতে এটি সম্ভব নয়।',
  'state_conflict.second_factor': 'পাসওয়ার্ডের বদলে আপনার দ্বিতীয় ধাপ দিয়ে নিশ্চিত করুন।',
  'state_conflict.appeals':
    'আপনার শেষ দিকের বেশির ভাগ আপিল টেকেনি, তাই একবারে একটি আপিল খোলা রাখতে পারবেন। সেটির সিদ্ধান্ত পর্যন্ত অপেক্ষা করুন।',
  'state_conflict.payout': ({ state }) => `এখন এটি সম্ভব নয়: পেআউটটি ${PAYOUT_STATE_TEXTS[state]}।`,
  'state_conflict.payout_batch': ({ state }) =>
    `এখন এটি সম্ভব নয়: পেআউট ব্যাচটি ${PAYOUT_BATCH_STATE_TEXTS[state]}।`,
  'state_conflict.payout_provider': 'পেমেন্টের এই সেবাদাতা এখানে সেট আপ করা নেই।',
  'state_conflict.payout_file_provider': 'এই পেআউট ব্যাচের টাকা পেমেন্টের সেবাদাতা দেয়। ফাইল দিলে আবার টাকা যাবে।',
  'state_conflict.payout_stopped':
    'প্রথম ফাইল তৈরির পর এই পেআউট ব্যাচের একটি পেআউট থামানো হয়েছে। অন্য কিছুর আগে সেটির ফলাফল লিখে রাখুন।',
  'state_conflict.payouts_stopped': 'এই পেআউট ব্যাচের সব পেআউট পাঠানোর আগেই থামানো হয়েছে। দেওয়ার মতো কিছু বাকি নেই।',
  'state_conflict.payout_batch_empty': 'এই পেআউট ব্যাচে আর কোনো পেআউট নেই। এটি বাতিল করুন।',
  'state_conflict.revision': 'কর্মী কাজটি সংশোধন করছেন। এখনই অনুমোদন করতে পারেন, প্রত্যাখ্যান করতে পারবেন সংশোধনের পর।',
  'state_conflict.revision_used': 'আপনি আগেই একবার এই কাজের সংশোধন চেয়েছেন।',
  'state_conflict.site_page': 'অন্য কেউ এর মধ্যে পাতাটি বদলেছেন। বর্তমান লেখা দেখুন।',
  'state_conflict.setting': 'অন্য কেউ এর মধ্যে সেটিংটি বদলেছেন। বর্তমান মান দেখুন।',
  'state_conflict.setting_proposal':
    'এই সেটিংয়ের আরেকটি পরিবর্তন নিশ্চিতকরণের অপেক্ষায় আছে। আগে সেটি নিশ্চিত বা প্রত্যাহার করুন।',
  'state_conflict.submission': ({ state }) => `এখন এটি সম্ভব নয়: কাজটি ${STATE_TEXTS[state]}।`,
  'state_conflict.unmatched_buyer': 'এই পেমেন্টে তার কেনাকাটার ক্রেতার বদলে অন্য ক্রেতার নাম আছে। পেমেন্টটি রিফান্ড করুন।',
  'state_conflict.unmatched_payment': 'এই দামে কোনো কয়েন প্যাকেজ নেই। পেমেন্টটি রিফান্ড করুন।',
  'state_conflict.withdrawal_rate': 'উত্তোলনের হার এইমাত্র বদলেছে। টাকার পরিমাণ আবার দেখে নিন।',
  'state_conflict.withdrawal': ({ email, coins, cents }) =>
    `অনুরোধটি ${email}-এর, ${coinsText(coins)} (${dollarsText(cents)})। সিদ্ধান্তের আগে আবার দেখে নিন।`,

  body_too_large: 'একবারে এত তথ্য পাঠানো যায় না।',
  'body_too_large.file': 'ফাইলটি খুব বড়।',
  unsupported_media_type: 'application/json ধরনের JSON পাঠান।',
  'unsupported_media_type.form': 'ফাইলটি একটি ফর্মে পাঠান।',
  'unsupported_media_type.bytes': 'ফাইলের অংশটি বাইট হিসেবে পাঠান।',

  'invalid_fields.csv': ({ line }) => `এটি CSV ফাইল নয়: ${formatNumber(line)} নম্বর লাইন শিরোনামের সঙ্গে মেলে না।`,
  'invalid_fields.csv_encoding': 'ফাইলটি “CSV UTF-8” হিসেবে সংরক্ষণ করে আবার আপলোড করুন।',
  'invalid_fields.csv_heading': ({ name }) => `ফাইলে “${name}” নামের কলাম নেই।`,
  'invalid_fields.csv_rows': ({ maximum }) =>
    `একটি ফাইলে সর্বোচ্চ ${formatNumber(maximum)}টি সারি থাকতে পারে। ফাইলটি ভাগ করুন।`,
  'invalid_fields.current_password': 'বর্তমান পাসওয়ার্ড ভুল।',
  'invalid_fields.decline_reason': 'কারণ লিখুন, যাতে কর্মী বুঝতে পারেন কী করতে হবে',
  'invalid_fields.email': 'ইমেইলের ফরম্যাট সঠিক নয়',
  'invalid_fields.export_rows': ({ maximum }) =>
    `একবারে সর্বোচ্চ ${formatNumber(maximum)}টি সারি ডাউনলোড করা যায়। ফিল্টার আরও ছোট করুন।`,
  'invalid_fields.passkey': 'পাসকিটি গ্রহণ করা হয়নি। আবার চেষ্টা করুন, অথবা অন্য উপায় ব্যবহার করুন।',
  'invalid_fields.dispute_file': 'একটি PDF, JPEG বা PNG ফাইল বেছে নিন।',
  'invalid_fields.dispute_file_rejected': 'কার্ড প্রসেসর এই ফাইল নেয় না। অন্য একটি বেছে নিন।',
  'invalid_fields.dispute_files_size': 'একটি বিরোধের সব ফাইল মিলিয়ে ৪ MB পর্যন্ত হতে পারে।',
  'invalid_fields.package': 'এই দামে কোনো কয়েন প্যাকেজ নেই।',
  'invalid_fields.package_changed': 'প্যাকেজটি বদলেছে। প্যাকেজের তালিকায় ফিরে গিয়ে বর্তমান দাম দেখুন। আপনার টাকা কাটা হয়নি।',
  'invalid_fields.reason': 'অডিট লগের জন্য একটি কারণ লিখুন',
  'invalid_fields.batch_cost': 'খরচ বদলেছে। আবার দেখে তারপর পরিশোধ করুন।',
  'invalid_fields.workers': ({ workers }) =>
    `এই ব্যাচে প্রতি আইটেমে আগে থেকেই ${formatNumber(workers)} জন কর্মী আছেন। এর চেয়ে বড় সংখ্যা দিন।`,
  'invalid_fields.total_changed': 'দাম বদলেছে। প্যাকেজটি আবার বেছে নিন।',
  'invalid_fields.refund': ({ cents }) => `এই পেমেন্টের শুধু ${dollarsText(cents)} এখনো রিফান্ড করা যায়।`,
  'invalid_fields.second_factor_code': 'কোডটি ভুল, অথবা আগে ব্যবহার করা হয়েছে।',
  'invalid_fields.password_common': 'এই পাসওয়ার্ড সহজেই অনুমান করা যায়। কম প্রচলিত একটি বেছে নিন।',
  'invalid_fields.password_contains': 'এমন পাসওয়ার্ড দিন, যাতে আপনার ইমেইল বা এই সাইটের নাম নেই।',
  'invalid_fields.password_of_admin': 'অ্যাডমিনের পাসওয়ার্ডে কমপক্ষে ৮টি অক্ষর থাকতে হবে।',
  'invalid_fields.several': 'কয়েকটি ঘর ঠিক নেই।',
  'invalid_fields.incomplete_draft': 'সময় নির্ধারণের আগে সব আবশ্যক ঘর পূরণ করুন।',
  'invalid_fields.post_at': ({ days }) => `ভবিষ্যতের একটি সময় বেছে নিন, সর্বোচ্চ ${formatNumber(days)} দিন পর।`,
  'invalid_fields.slots': ({ maximum }) => `একটি টাস্কে সর্বোচ্চ ${formatNumber(maximum)}টি স্লট থাকতে পারে।`,
  'invalid_fields.task_cost': ({ field, actual, claimed }) =>
    `এই টাস্কের ${field} হয় ${formatNumber(actual)}, ${formatNumber(claimed)} নয়।`,
  'invalid_fields.user_type': 'ব্যবহারকারীর ধরন বেছে নিন',
  'invalid_fields.validation': ({ message }) => message,
  'invalid_fields.withdrawal_amount': ({ coins, cents, claimed }) =>
    `${coinsText(coins)} মানে ${dollarsText(cents)}, ${dollarsText(claimed * 100)} নয়।`,
  'invalid_fields.withdrawal_minimum': ({ minimum }) => `কমপক্ষে ${coinsText(minimum)} তুলতে হবে।`,
  invalid_image: 'অনুগ্রহ করে একটি বৈধ ছবি আপলোড করুন।',
  idempotency_key_reused: 'এই Idempotency-Key আগে অন্য কিছুর জন্য ব্যবহার হয়েছে।',
  link_expired: 'লিংকটি ব্যবহার করা হয়ে গেছে, অথবা মেয়াদ শেষ। অনুগ্রহ করে নতুন একটি চেয়ে নিন।',
  'link_expired.setup': 'লিংকটি ব্যবহার করা হয়ে গেছে, অথবা আর বৈধ নয়। নতুন লিংক পেতে সার্ভার আবার চালু করুন।',

  too_many_requests: ({ seconds }) => {
    const minutes = Math.ceil(seconds / 60)
    const time = minutes < 120 ? `${formatNumber(minutes)} মিনিট` : hoursText(Math.ceil(minutes / 60))
    return `অনেকবার চেষ্টা করা হয়েছে। অনুগ্রহ করে ${time} পর আবার চেষ্টা করুন।`
  },
  'too_many_requests.upload': 'অনুগ্রহ করে ছবিগুলো একটির পর একটি পাঠান।',

  internal: 'কোনো একটি সমস্যা হয়েছে!',
  unavailable: 'সেবাটি ব্যস্ত অথবা আবার চালু হচ্ছে। কিছু বদলায়নি; অনুগ্রহ করে একটু পর আবার চেষ্টা করুন।',
  'unavailable.documents': 'এই মুহূর্তে অনেক নথি তৈরি হচ্ছে। অনুগ্রহ করে একটু পর আবার চেষ্টা করুন।',
  'unavailable.image_store': 'ছবিটি সংরক্ষণ করা যায়নি। অনুগ্রহ করে একটু পর আবার চেষ্টা করুন।',
  'unavailable.live': 'অনেকগুলো পাতা খোলা আছে। এই পাতা নিজে থেকে খবর নিতে থাকবে।',
  'unavailable.overloaded': 'এই মুহূর্তে খুব চাপ। কিছু বদলায়নি; অনুগ্রহ করে একটু পর আবার চেষ্টা করুন।',
  'unavailable.payment': 'পেমেন্টটি এই মুহূর্তে বদলাচ্ছে। অনুগ্রহ করে একটু পর আবার চেষ্টা করুন।',
  'unavailable.sign_in': 'এই মুহূর্তে অনেকে সাইন ইন করছেন। অনুগ্রহ করে একটু পর আবার চেষ্টা করুন।',
  'unavailable.sign_in_service': 'সাইন-ইন সেবাটির সঙ্গে এখন যোগাযোগ করা যাচ্ছে না। অনুগ্রহ করে আবার চেষ্টা করুন।',
  'unavailable.timeout': 'সেবাটি সময়মতো সাড়া দেয়নি। আবার চেষ্টার আগে দেখে নিন কাজটি হয়েছে কি না।',
  'unavailable.uploads': 'অনেক ছবি পাঠানো হচ্ছে। অনুগ্রহ করে একটু পর আবার চেষ্টা করুন।',
  payments_unavailable:
    'কার্ড পেমেন্টের সঙ্গে এই মুহূর্তে যোগাযোগ করা যাচ্ছে না। টাকা দুবার কাটা হয়নি; অনুগ্রহ করে একটু পর আবার চেষ্টা করুন।',
}
