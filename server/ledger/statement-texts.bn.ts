import type * as english from './statement-texts.en.ts'

type English = typeof english

/** The description of each kind of transfer in a coin statement. */
export const STATEMENT_TEXTS: English['STATEMENT_TEXTS'] = {
  sign_up_bonus: () => 'শুরুর কয়েন',
  task_funded: ({ title }) => `“${title}” টাস্কের জন্য সংরক্ষিত`,
  task_topped_up: ({ title }) => `“${title}” টাস্কে যোগ করা স্লটের জন্য সংরক্ষিত`,
  task_reopened: ({ title }) => `“${title}” আবার চালু করার জন্য সংরক্ষিত`,
  task_fee: ({ title }) => `“${title}” টাস্কের ফি`,
  submission_paid: ({ title }) => `“${title}” টাস্কের পারিশ্রমিক`,
  slot_reopened: ({ title }) => `“${title}” টাস্কের আরেকটি স্লটের জন্য সংরক্ষিত`,
  reversal_funded: ({ title }) => `“${title}” টাস্কে প্রত্যাখ্যানের পরে অনুমোদন করা কাজের পারিশ্রমিক`,
  bonus_paid: ({ title }) => `“${title}” টাস্কের বোনাস`,
  slot_refunded: ({ title }) => `“${title}” টাস্কের একটি স্লটের রিফান্ড`,
  task_refunded: ({ title }) => `“${title}” টাস্কের রিফান্ড`,
  coins_bought: () => 'কার্ডে কেনা কয়েন',
  card_reversed: ({ coins }) => (coins < 0 ? 'কার্ড পেমেন্ট ফেরত গেছে' : 'ফেরত যাওয়া কার্ড পেমেন্ট আবার বহাল হয়েছে'),
  debt_paid: () => 'ফেরত যাওয়া কার্ড পেমেন্টের দেনা শোধ',
  withdrawal_held: () => 'উত্তোলনের জন্য সংরক্ষিত',
  withdrawal_released: () => 'উত্তোলন থেকে ফেরত',
  swept_to_platform: () => 'প্ল্যাটফর্মের অ্যাকাউন্টে স্থানান্তর',
}

/** The kinds of transfers in summaries, where a task has no name. */
export const SUMMARY_TEXTS: English['SUMMARY_TEXTS'] = {
  task_funded: 'টাস্কের জন্য সংরক্ষিত',
  task_topped_up: 'যোগ করা স্লটের জন্য সংরক্ষিত',
  task_reopened: 'টাস্ক আবার চালু করার জন্য সংরক্ষিত',
  task_fee: 'টাস্কের ফি',
  submission_paid: 'কাজের পারিশ্রমিক',
  slot_reopened: 'আরেকটি স্লটের জন্য সংরক্ষিত',
  reversal_funded: 'প্রত্যাখ্যানের পরে অনুমোদন করা কাজের পারিশ্রমিক',
  bonus_paid: 'বোনাস',
  slot_refunded: 'স্লটের রিফান্ড',
  task_refunded: 'টাস্কের রিফান্ড',
}
