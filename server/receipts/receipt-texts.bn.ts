import { coinsText } from '#contract/amounts.bn.ts'
import type * as english from './receipt-texts.en.ts'

type English = typeof english

const decimals = new Intl.NumberFormat('bn-BD', { maximumFractionDigits: 6 })

export const RECEIPT_TITLES: English['RECEIPT_TITLES'] = {
  purchase: 'রসিদ',
  refund: 'ক্রেডিট নোট',
  payout: 'পেআউট রসিদ',
}

/** What a line of a receipt is for. */
export const ITEM_TEXTS: English['ITEM_TEXTS'] = {
  coins_bought: (coins) => coinsText(coins),
  coins_refunded: (coins) => `ফেরত দেওয়া পেমেন্ট, ${coinsText(coins)} কেটে নেওয়া হয়েছে`,
  coins_returned: (coins) => `বিরোধের পর আবার বহাল হওয়া পেমেন্ট, ${coinsText(coins)}`,
  coins_paid_out: (coins) => `${coinsText(coins)} উত্তোলন`,
}

/** The words of receipts. A rate is in taka per dollar. */
export const RECEIPT_TEXTS: English['RECEIPT_TEXTS'] = {
  testMode: 'টেস্ট মোড: আসল টাকা কাটা হয়নি।',
  testPayout: 'টেস্ট মোড: আসল টাকা পাঠানো হয়নি।',
  from: 'ইস্যুকারী',
  to: 'যাঁর নামে',
  paidTo: 'প্রাপক',
  number: 'নম্বর',
  date: 'তারিখ',
  method: 'পেমেন্টের মাধ্যম',
  card: 'কার্ড',
  cardEnding: (brand, digits) => `${brand} কার্ড, শেষ চার অঙ্ক ${digits}`,
  taxNumber: (name, number) => `${name === '' ? 'কর' : name} নম্বর: ${number}`,
  transaction: 'লেনদেন',
  corrects: 'যে রসিদ সংশোধন করে',
  item: 'বিবরণ',
  coins: 'কয়েন',
  amount: 'পরিমাণ',
  withoutTax: 'কর ছাড়া',
  tax: (name, percent, included) => `${name} ${decimals.format(percent)}%${included ? ', দামের মধ্যে' : ''}`,
  total: 'মোট',
  inTaka: (rate) => `টাকায়, প্রতি ডলার ${decimals.format(Number(rate))} টাকা দরে`,
  providerFee: 'সেবাদাতার ফি',
}

/** The words of monthly statements. */
export const STATEMENT_SHEET_TEXTS: English['STATEMENT_SHEET_TEXTS'] = {
  title: (month) => `${month} মাসের স্টেটমেন্ট`,
  holder: 'যাঁর নামে',
  opening: 'শুরুর ব্যালান্স',
  closing: 'শেষের ব্যালান্স',
  summary: 'সারসংক্ষেপ',
  kind: 'ধরন',
  transactions: 'লেনদেন',
  receipts: 'রসিদ',
  taxPart: 'কর অন্তর্ভুক্ত',
  description: 'বিবরণ',
  balance: 'ব্যালান্স',
  earlier: (count) => `এই মাসের আরও ${count}টি পুরোনো লেনদেন CSV ফাইলে আছে।`,
  timeZone: (name) => `সময় ${name} অনুযায়ী।`,
}
