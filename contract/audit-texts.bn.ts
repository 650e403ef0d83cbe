import type * as english from './audit-texts.en.ts'

/** The checks and the totals of the audit, by the names that SQL gives them. */
const TEXTS: Record<string, string> = {
  'the audit log of Admin actions is an unbroken chain': 'অ্যাডমিনদের কাজের অডিট লগের শিকল অটুট',
  'every row of a paid batch is exactly one item': 'মূল্য দেওয়া ব্যাচের প্রতিটি সারি ঠিক একটি আইটেম',
  'the escrow of every paid batch was funded with its whole cost':
    'মূল্য দেওয়া প্রতিটি ব্যাচের এসক্রোতে তার পুরো খরচ জমা হয়েছে',
  'every task of a batch belongs to the batch that was paid': 'ব্যাচের প্রতিটি টাস্ক মূল্য দেওয়া ব্যাচটিরই',
  'the slots of the task of a batch are the answers that its items want':
    'ব্যাচের টাস্কের স্লট তার আইটেমগুলোর প্রয়োজনীয় উত্তরের সমান',
  'every bonus was paid once, for approved work': 'প্রতিটি বোনাস অনুমোদিত কাজের জন্য একবারই দেওয়া হয়েছে',
  'every payment of a bonus has its bonus': 'বোনাসের প্রতিটি পেমেন্টের বোনাস আছে',
  'every card transaction is its amount less its fee':
    'প্রতিটি কার্ড লেনদেন তার পরিমাণ থেকে ফি বাদ দিয়ে যা থাকে, তার সমান',
  'tasks are held only while a dispute of their buyer is open': 'ক্রেতার বিরোধ খোলা থাকলেই কেবল টাস্ক আটকে রাখা হয়',
  'answers taken of every item are its reservations, work that is not final and approved work':
    'প্রতিটি আইটেমে নেওয়া উত্তর তার সংরক্ষণ, অমীমাংসিত কাজ ও অনুমোদিত কাজের সমান',
  'work on an item has its answers, and other work has none': 'আইটেমের কাজে উত্তর আছে, অন্য কাজে নেই',
  'an item is reserved exactly for tasks of batches': 'কেবল ব্যাচের টাস্কেই আইটেম সংরক্ষিত থাকে',
  'every balance is the sum of its transfers': 'প্রতিটি ব্যালান্স তার লেনদেনের যোগফল',
  'every transfer has its key, and every key its transfer':
    'প্রতিটি লেনদেনের নিজস্ব কী আছে, এবং প্রতিটি কীর নিজস্ব লেনদেন',
  'every submission that was not rejected has its key, and every key its submission':
    'প্রত্যাখ্যাত নয় এমন প্রতিটি জমার নিজস্ব কী আছে, এবং প্রতিটি কীর নিজস্ব জমা',
  'the sum over all accounts is zero': 'সব অ্যাকাউন্টের যোগফল শূন্য',
  'no balance is below zero': 'কোনো ব্যালান্স শূন্যের নিচে নয়',
  'every debt is the coins owed less the coins paid':
    'প্রতিটি দেনা মোট পাওনা কয়েন থেকে পরিশোধিত কয়েন বাদ দিয়ে যা থাকে, তার সমান',
  'every card payment credited its coins once': 'প্রতিটি কার্ড পেমেন্টের কয়েন একবারই যোগ হয়েছে',
  'every credited purchase has its payment': 'কয়েন যোগ হওয়া প্রতিটি কেনাকাটার পেমেন্ট আছে',
  'the reversed amount of every payment is the sum of its reversals':
    'প্রতিটি পেমেন্টের ফেরত নেওয়া পরিমাণ তার সব ফেরতের যোগফল',
  'every reversal moved its coins or owes them': 'প্রতিটি ফেরতে কয়েন সরেছে, নয়তো তা দেনা হয়ে আছে',
  'what disputes withhold is part of what was taken back': 'বিরোধে আটকানো পরিমাণ ফেরত নেওয়া পরিমাণের অংশ',
  'every approved withdrawal has one confirmed payout of its coins and one transfer, and no other has any':
    'প্রতিটি অনুমোদিত উত্তোলনের কয়েনের একটি নিশ্চিত পেআউট ও একটি লেনদেন আছে, অন্য কোনো উত্তোলনের নেই',
  'a withdrawal has one live payout at most, and its coins are on hold until that is confirmed':
    'একটি উত্তোলনের বড়জোর একটি চালু পেআউট থাকে, আর তা নিশ্চিত না হওয়া পর্যন্ত কয়েন আটকে থাকে',
  'the state of a payout batch and its totals are those of its payouts':
    'পেআউট ব্যাচের অবস্থা ও মোট তার পেআউটগুলোর সঙ্গে মেলে',
  'receipt numbers have no gaps': 'রসিদের নম্বরে কোনো ফাঁক নেই',
  'every payment has one receipt': 'প্রতিটি পেমেন্টের একটি রসিদ আছে',
  'the receipts and credit notes of every payment add up to what was kept of it':
    'প্রতিটি পেমেন্টের রসিদ ও ক্রেডিট নোটের যোগফল তার যতটা রাখা হয়েছে, তার সমান',
  'the receipt of a payment has the tax that was added to it': 'পেমেন্টের রসিদে তাতে যোগ হওয়া কর আছে',
  'every approved withdrawal has one receipt, and no other':
    'কেবল অনুমোদিত উত্তোলনেরই রসিদ আছে, প্রতিটির একটি করে',
  'refunds by Admins are part of what was taken back of their payment':
    'অ্যাডমিনদের দেওয়া রিফান্ড পেমেন্টের ফেরত নেওয়া পরিমাণের অংশ',
  'every setting has the value of its last change': 'প্রতিটি সেটিংয়ের মান তার শেষ বদল অনুযায়ী',
  "every payout that a statement confirmed has one line of its amount, or an Admin's decision, and one transfer":
    'স্টেটমেন্টে নিশ্চিত প্রতিটি পেআউটের একই পরিমাণের একটি সারি বা একজন অ্যাডমিনের সিদ্ধান্ত, আর একটি লেনদেন আছে',
  'every matched line of a statement has its payout settled as it says':
    'স্টেটমেন্টের মিলে যাওয়া প্রতিটি সারি অনুযায়ী তার পেআউট নিষ্পত্তি হয়েছে',
  'every line that matches no payout has a case': 'পেআউটের সঙ্গে না মেলা প্রতিটি সারির একটি কেস আছে',
  'every escrow holds the pay of its free slots, its reserved slots and of work that is not final':
    'প্রতিটি এসক্রোতে তার খালি স্লট, সংরক্ষিত স্লট ও অমীমাংসিত কাজের পারিশ্রমিক আছে',
  'slots left of an open task are its slots without a reservation, work that is not final or approved':
    'খোলা টাস্কের বাকি স্লটে কোনো সংরক্ষণ, অমীমাংসিত কাজ বা অনুমোদিত কাজ নেই',
  'every open task is listed with its free slots, and no other task is':
    'প্রতিটি খোলা টাস্ক তার খালি স্লটসহ তালিকায় আছে, তালিকায় অন্য কোনো টাস্ক নেই',
  'no task has more reservations, work that is not final and approved work than slots':
    'কোনো টাস্কে স্লটের চেয়ে বেশি সংরক্ষণ, অমীমাংসিত কাজ ও অনুমোদিত কাজ নেই',
  'the slots of every task were funded': 'প্রতিটি টাস্কের স্লটের খরচ জমা হয়েছে',
  'every coin of a task was paid, was refunded or is in escrow':
    'টাস্কের প্রতিটি কয়েন দেওয়া হয়েছে, রিফান্ড হয়েছে বা এসক্রোতে আছে',
  'every change of a task moved its coins': 'টাস্কের প্রতিটি বদলে তার কয়েন সরেছে',
  'every approved submission was paid its reward, once': 'প্রতিটি অনুমোদিত জমার পারিশ্রমিক একবারই দেওয়া হয়েছে',
  'no payment without an approved submission': 'অনুমোদিত জমা ছাড়া কোনো পারিশ্রমিক দেওয়া হয়নি',
  'every escrow belongs to one task': 'প্রতিটি এসক্রো একটিমাত্র টাস্কের',
  'transfer totals are the sums of their transfers': 'লেনদেনের মোট হিসাব সেই লেনদেনগুলোর যোগফল',
  'every refused payment is listed for a decision': 'প্রতিটি প্রত্যাখ্যাত পেমেন্ট সিদ্ধান্তের তালিকায় আছে',
  'an unmatched payment credited coins only by a decision': 'না মেলা পেমেন্টের কয়েন কেবল সিদ্ধান্তেই যোগ হয়েছে',
  'a decision about an unmatched payment that two Admins make has two':
    'না মেলা পেমেন্টে দুই অ্যাডমিনের সিদ্ধান্ত দুজনেরই নেওয়া',
  'every user has an account of their own': 'প্রতিটি ব্যবহারকারীর নিজের অ্যাকাউন্ট আছে',
  'every user account belongs to a user': 'ব্যবহারকারীর প্রতিটি অ্যাকাউন্ট কোনো ব্যবহারকারীর',
  'deleted users have no coins': 'মুছে ফেলা ব্যবহারকারীর কোনো কয়েন নেই',
  'deleted users have no open tasks, work that is not final or pending withdrawals without a payout in flight':
    'মুছে ফেলা ব্যবহারকারীর খোলা টাস্ক, অমীমাংসিত কাজ বা চলমান পেআউট ছাড়া অপেক্ষমাণ উত্তোলন নেই',
  'reservations of deleted users have ended': 'মুছে ফেলা ব্যবহারকারীর সংরক্ষণ শেষ হয়েছে',
  'every hold holds the coins of its pending request, and nothing after the decision':
    'প্রতিটি অপেক্ষমাণ অনুরোধের কয়েন আটকে রাখা আছে, সিদ্ধান্তের পর কিছুই থাকে না',
  'every approved withdrawal was paid out once, and no other':
    'কেবল অনুমোদিত উত্তোলনই পরিশোধ হয়েছে, প্রতিটি একবার',
  'every withdrawal took its coins from its worker, and returned them there unless it was paid':
    'প্রতিটি উত্তোলনের কয়েন তার কর্মীর কাছ থেকে নেওয়া, আর পরিশোধ না হলে তাঁকেই ফেরত দেওয়া হয়েছে',
  'every withdrawal has a rate that the operator set': 'প্রতিটি উত্তোলনের হার পরিচালকের ঠিক করা',
  'every hold belongs to one request': 'আটকে রাখা প্রতিটি অঙ্ক একটিমাত্র অনুরোধের',
  'with people': 'ব্যবহারকারীদের কাছে',
  'in escrow': 'এসক্রোতে',
  'on hold': 'আটকে রাখা',
  'owed by people': 'ব্যবহারকারীদের দেনা',
  'given as bonus': 'শুরুতে দেওয়া',
  'swept to the house': 'প্ল্যাটফর্মের অ্যাকাউন্টে নেওয়া',
  'bought by card': 'কার্ডে কেনা',
  'taken back by card': 'কার্ডে ফেরত নেওয়া',
  'paid out': 'পরিশোধ করা',
  transfers: 'লেনদেন',
  accounts: 'অ্যাকাউন্ট',
}

export const auditText: typeof english.auditText = (text) => TEXTS[text] ?? text
