import { SETTING_TITLES } from '#contract/setting-titles.bn.ts'
import type * as english from './sections.en.ts'

/** The texts of the settings screen in Bangla, in the order of the screen. */
export const SETTING_SECTIONS: typeof english.SETTING_SECTIONS = {
  packages: {
    title: SETTING_TITLES.packages,
    description: 'কয়েনের জন্য ক্রেতারা যা দেন। আগে শুরু করা কেনাকাটায় পুরোনো দামই থাকে।',
    recommendation:
      '১ ডলারে ২০ কয়েন হিসাবে ৫০০ ও ১,০০০ কয়েনের শুরুর প্যাকেজে কার্ড ফি বাদে যা আসে, তার চেয়ে বেশি পেআউট দিতে হয়। এই দামগুলোতে প্রতিটি প্যাকেজের আয়ে তার পেআউট কুলায়।',
    fields: {
      packages: { label: 'প্যাকেজ', kind: 'packages' },
      cardFeePercent: {
        label: 'কার্ড ফি, শতাংশ',
        description: 'মোট টাকার ওপর। শুধু মার্জিন ও সতর্কতার হিসাবে লাগে।',
        kind: 'number',
        unit: '%',
      },
      cardFeeCents: { label: 'কার্ড ফি, নির্দিষ্ট', description: 'প্রতিটি পেমেন্টে।', kind: 'dollars' },
    },
  },
  withdrawal_rate: {
    title: SETTING_TITLES.withdrawal_rate,
    description: 'কয়েনের বদলে কর্মীরা যা পান। আগে করা অনুরোধে তখনকার হারই থাকে।',
    fields: {
      centsPerCoin: {
        label: 'প্রতি কয়েনে সেন্ট',
        description: 'পূর্ণ সেন্ট। ৫ সেন্ট মানে ১ ডলারে ২০ কয়েন।',
        kind: 'number',
      },
    },
  },
  payout_rules: {
    title: SETTING_TITLES.payout_rules,
    description:
      'যেসব পেআউট একজন অ্যাডমিন যাচাই করেন ও আরেকজন ছাড়েন। নিয়ম শিথিল করতে আরেকজন অ্যাডমিনের নিশ্চিত করা লাগে।',
    recommendation:
      'দুই বা তার বেশি অ্যাডমিন থাকলে বড় পেআউট, প্রথম পেআউট ও নতুন অ্যাকাউন্ট নম্বরের পেআউট একজন যাচাই করেন ও আরেকজন ছাড়েন।',
    fields: {
      twoPersonAboveCents: { label: 'এর চেয়ে বেশি টাকার পেআউট', kind: 'dollars', optional: true },
      firstPayout: { label: 'কর্মীর প্রথম পেআউট', kind: 'switch' },
      newAccountNumber: { label: 'নতুন অ্যাকাউন্ট নম্বরে পেআউট', kind: 'switch' },
      riskScore: { label: 'ঝুঁকির স্কোর অন্তত এত হলে', kind: 'number', optional: true },
    },
  },
  payout_limits: {
    title: SETTING_TITLES.payout_limits,
    description: 'নতুন কর্মীরা যত টাকা তুলতে পারেন।',
    recommendation:
      'প্রতারক চক্র প্রথম পেআউটেই ধরা পড়ে, তাই প্রথমটি ছোট রাখা হয়। কেউ অন্যের অ্যাকাউন্ট দখল করলে নিজের একটি পেআউট অ্যাকাউন্ট যোগ করে। তখন অ্যাকাউন্টের মালিক ইমেইল পান, আর ব্যবস্থা নেওয়ার জন্য অপেক্ষার সময়টুকু হাতে থাকে।',
    fields: {
      firstPayoutCents: {
        label: 'প্রথম পেআউট, সর্বোচ্চ',
        description: 'কোনো অ্যাকাউন্টে প্রথম পেআউট নিশ্চিত হওয়ার আগে পর্যন্ত।',
        kind: 'dollars',
        optional: true,
      },
      pairCents: {
        label: '৩০ দিনে একজন ক্রেতা থেকে, সর্বোচ্চ',
        description: 'অ্যাকাউন্ট যাচাই হওয়ার আগে পর্যন্ত।',
        kind: 'dollars',
        optional: true,
      },
      destinationWaitHours: {
        label: 'নতুন অ্যাকাউন্টের অপেক্ষার সময়',
        description: 'নতুন বা বদলানো পেআউট অ্যাকাউন্ট প্রথম ব্যবহারের আগে যতক্ষণ অপেক্ষা করতে হয়।',
        kind: 'number',
        unit: 'ঘণ্টা',
      },
    },
  },
  sign_up_coins: {
    title: SETTING_TITLES.sign_up_coins,
    description: 'এই কয়েন কখন খরচ করা যায়।',
    recommendation: 'তাহলে শুধু শুরুর কয়েনের জন্য খোলা অ্যাকাউন্ট থেকে কোনো লাভ হয় না।',
    fields: {
      purchaseCents: {
        label: 'এত টাকার কার্ড পেমেন্টের পর খরচ করা যায়',
        kind: 'dollars',
        optional: true,
      },
    },
  },
  card_coins_rest: {
    title: SETTING_TITLES.card_coins_rest,
    description: 'এই কয়েন আয় করলে উত্তোলনের আগে কর্মীদের যতদিন অপেক্ষা করতে হয়।',
    recommendation:
      'চুরি যাওয়া কার্ডের কথা সাধারণত এক দিনের মধ্যেই জানানো হয়। শুধু নতুন কার্ড ও নতুন ক্রেতার কয়েনে দেরি হয়, আর সৎ কাজে এর চেয়ে বেশি সময় লাগে।',
    fields: {
      restDays: { label: 'অপেক্ষার সময়', kind: 'number', unit: 'দিন' },
      trustedRestDays: {
        label: 'পরিচিত কার্ড ও ক্রেতার ক্ষেত্রে অপেক্ষার সময়',
        kind: 'number',
        unit: 'দিন',
      },
      trustedCardDays: { label: 'কার্ড পরিচিত ধরা হয় এর পর', kind: 'number', unit: 'দিন' },
      trustedPersonDays: { label: 'ক্রেতা পরিচিত ধরা হয় এর পর', kind: 'number', unit: 'দিন' },
    },
  },
  risk: {
    title: SETTING_TITLES.risk,
    description:
      'উত্তোলনের যেসব অনুরোধ অ্যাডমিনের প্রমাণ যাচাইয়ের অপেক্ষায় থাকে। নিয়ম শিথিল করতে আরেকজন অ্যাডমিনের নিশ্চিত করা লাগে।',
    recommendation:
      'সিমুলেশনে এতে প্রতারক চক্রের প্রায় সব অনুরোধ আটকে যায়, সৎ কর্মীদের আটকায় অল্প কয়েকটি। আটকে যাওয়া অনুরোধ অ্যাডমিন ছেড়ে দিতে পারেন।',
    fields: {
      reviewScore: { label: 'স্কোর অন্তত এত হলে অনুরোধ আটকে যায়', kind: 'number', optional: true },
    },
  },
  card_limits: {
    title: SETTING_TITLES.card_limits,
    description: '২৪ ঘণ্টায় কার্ডে কত কেনা যায়, আর একটি কার্ড মোট কতজন ক্রেতা ব্যবহার করতে পারেন। খালি রাখলে কোনো সীমা নেই।',
    recommendation: 'চুরি যাওয়া কার্ড অনেকগুলো ছোট কেনাকাটায় পরখ করা হয় এবং একাধিক অ্যাকাউন্টে ব্যবহার করা হয়।',
    fields: {
      purchasesPerBuyer: { label: 'একজন ক্রেতার কেনাকাটা', kind: 'number', optional: true },
      centsPerBuyer: { label: 'একজন ক্রেতার মোট টাকা', kind: 'dollars', optional: true },
      declinesPerBuyer: { label: 'একজন ক্রেতার প্রত্যাখ্যাত চেষ্টা', kind: 'number', optional: true },
      purchasesPerCard: { label: 'একটি কার্ডে কেনাকাটা', kind: 'number', optional: true },
      centsPerCard: { label: 'একটি কার্ডে মোট টাকা', kind: 'dollars', optional: true },
      buyersPerCard: { label: 'একই কার্ড ব্যবহারকারী ক্রেতা', kind: 'number', optional: true },
    },
  },
  refund_rules: {
    title: SETTING_TITLES.refund_rules,
    description: 'কার্ড পেমেন্টের যেসব রিফান্ডে দ্বিতীয় অ্যাডমিন লাগে। নিয়ম শিথিল করতে আরেকজন অ্যাডমিনের নিশ্চিত করা লাগে।',
    recommendation: 'একজন অ্যাডমিন একা একটি পেমেন্টের ৫০ ডলারের বেশি রিফান্ড করতে পারেন না।',
    fields: {
      twoPersonAboveCents: { label: 'এর চেয়ে বেশি টাকার রিফান্ড', kind: 'dollars', optional: true },
    },
  },
  seller: {
    title: SETTING_TITLES.seller,
    description: 'কয়েন যিনি বিক্রি করেন, রসিদে যেভাবে দেখায়। আগে দেওয়া রসিদ বদলায় না।',
    fields: {
      legalName: { label: 'আইনগত নাম', kind: 'text' },
      address: { label: 'ঠিকানা', kind: 'lines' },
      email: { label: 'ইমেইল', kind: 'text' },
      taxNumber: { label: 'কর নম্বর', kind: 'text' },
      taxName: { label: 'করের নাম', description: 'যেমন VAT।', kind: 'text' },
      taxPercent: {
        label: 'করের হার',
        description: '0 দিলে রসিদে কর দেখানো হয় না।',
        kind: 'number',
        unit: '%',
      },
      taxAdded: {
        label: 'দামের সঙ্গে কর যোগ করুন',
        description: 'ক্রেতারা দামের সঙ্গে আলাদা কর দেন। বন্ধ থাকলে করসহ দাম ধরা হয়।',
        kind: 'switch',
      },
      numberPrefix: {
        label: 'রসিদ নম্বরের শুরুর অংশ',
        description: 'বড় হাতের ইংরেজি অক্ষর, অঙ্ক, - ও /। নম্বরের ক্রম চলতে থাকে।',
        kind: 'text',
      },
    },
  },
}
