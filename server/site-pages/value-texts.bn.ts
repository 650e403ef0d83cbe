import { daysText } from '#contract/amounts.bn.ts'
import type * as english from './value-texts.en.ts'

const decimals = new Intl.NumberFormat('bn-BD', { maximumFractionDigits: 3 })

/** What the values in the texts of public pages say. */
export const VALUE_TEXTS: typeof english.VALUE_TEXTS = {
  coins: 'কয়েন',
  price: 'দাম',
  contactForm: 'প্রথম পাতার [যোগাযোগ ফর্ম](/#contact) ব্যবহার করুন।',
  maskedEmails: 'আপনার পুরো ইমেইল শুধু আপনি, অ্যাডমিন এবং যাঁদের সঙ্গে কাজ করেন তাঁরা দেখতে পান।',
  publicEmails: 'আপনার ইমেইলও সবাই দেখতে পান।',
  noTax: 'আপনার কার্ড থেকে ঠিক এই দামই কাটা হয়।',
  taxIncluded: (percent, name) =>
    `আপনার কার্ড থেকে ঠিক এই দামই কাটা হয়, যার মধ্যে ${decimals.format(percent)}% ${name} আছে।`,
  taxAdded: (percent, name) => `টাকা দেওয়ার সময় এর সঙ্গে ${decimals.format(percent)}% ${name} যোগ হয়।`,
  taskFee: (percent, name) =>
    `এই খরচের ওপর ${name} ${decimals.format(percent)}% ফি নেয়, যা পূর্ণ কয়েনে ওপরের দিকে মেলানো হয়। ফি ফেরত দেওয়া হয় না।`,
  noTaskFee: (name) => `এই খরচের ওপর ${name} কোনো ফি নেয় না।`,
  noHolding: 'নেই',
  days: daysText,
  number: (value) => decimals.format(value),
  appeal: (days) => `আপনি তা মেনে নিতে পারেন, অথবা আপিল করতে পারেন; আপিল করার সময় ${daysText(days)}।`,
  noAppeal: 'প্রত্যাখ্যানই চূড়ান্ত।',
}
