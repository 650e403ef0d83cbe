import type * as english from './batch-problems.en.ts'
import { cellCounts, type PictureFailure } from './batch-problems.ts'
import { banglaDigits } from './digits.ts'

const NOT_LOADED: Record<PictureFailure, string> = {
  timeout: 'ছবিটি লোড হচ্ছে না: এর হোস্ট সময়মতো সাড়া দেয়নি।',
  unreachable: 'ছবিটি লোড হচ্ছে না: পাবলিক ঠিকানায় এর হোস্টের সঙ্গে সংযোগ করা যাচ্ছে না।',
  not_picture: 'এই URL-এ কোনো ছবি নেই (JPEG, PNG, WebP, GIF বা AVIF)।',
  too_large: 'ছবিটি ১০ MB-এর চেয়ে বড়।',
}

/** The texts of contract/batch-problems.en.ts in Bangla. */
export const BATCH_PROBLEM_TEXTS: typeof english.BATCH_PROBLEM_TEXTS = {
  empty_file: () => 'ফাইলে কোনো সারি নেই।',
  too_many_rows: (max) => `ফাইলে ${banglaDigits(max)}টির বেশি সারি আছে।`,
  too_many_answers: (rows) =>
    `প্রতি আইটেমে যত কর্মী লাগবে, তার তুলনায় ফাইলে সারি বেশি: সর্বোচ্চ ${banglaDigits(rows)}টি সারি থাকতে পারে।`,
  too_many_columns: (max) => `ফাইলে ${banglaDigits(max)}টির বেশি কলাম আছে।`,
  missing_column: () => 'প্রজেক্টে এই কলামটি লাগে, কিন্তু ফাইলে নেই।',
  unnamed_column: () => 'এই কলামের নাম নেই।',
  repeated_column: () => 'দুটি কলামের এই একই নাম।',
  long_column: (max) => `কলামের নামে সর্বোচ্চ ${banglaDigits(max)}টি অক্ষর থাকতে পারে।`,
  unread: () => 'এখান থেকে ফাইলটি আর পড়া যাচ্ছে না: কোনো উদ্ধৃতি চিহ্ন বন্ধ করা হয়নি, অথবা একটি সারি খুব লম্বা।',
  quotes: () => 'এখান থেকে ফাইলটি আর পড়া যাচ্ছে না: একটি উদ্ধৃতি চিহ্ন ভুল জায়গায় আছে।',
  not_json: () => 'এই লাইনটি JSON অবজেক্ট নয়।',
  not_text: () => 'মান হতে পারে লেখা, সংখ্যা, true, false বা null।',
  unknown_column: () => 'প্রথম লাইনে এই নামের কোনো মান নেই।',
  cell_count: (cells) => {
    const [found = '', expected = ''] = cellCounts(cells).map(banglaDigits)
    return `মানের সংখ্যা শিরোনামের সারির সঙ্গে মেলে না: ${expected}টির জায়গায় ${found}টি।`
  },
  characters: () => 'এই মানে এমন অক্ষর আছে যা পড়া যাচ্ছে না। ফাইলটি “CSV UTF-8” হিসেবে সংরক্ষণ করে আবার আপলোড করুন।',
  long_value: (max) => `একটি মানে সর্বোচ্চ ${banglaDigits(max)}টি অক্ষর থাকতে পারে।`,
  empty_value: () => 'প্রজেক্টে এই মানটি লাগে।',
  golden_question: () => 'এই নামের কোনো প্রশ্ন নেই যাতে বিকল্প বা সংখ্যা দিতে হয়। জানা উত্তর শুধু সেসব প্রশ্নের হয়।',
  golden_shown: () => 'নির্দেশনা বা ছবিতে এই কলাম ব্যবহার হয়েছে: কর্মীরা জানা উত্তর দেখে ফেলতেন।',
  golden_value: () => 'প্রশ্নটিতে কোনো কর্মী এই উত্তর দিতে পারেন না।',
  picture_url: () => 'https:// দিয়ে শুরু হওয়া একটি ছবির URL দিন, যাতে পোর্ট, পাসওয়ার্ড বা প্রাইভেট ঠিকানা নেই।',
  repeated_row: (row) => `এই সারিটি ${banglaDigits(row)} নম্বর সারির মতো একই।`,
  picture_not_loaded: (reason) =>
    NOT_LOADED[reason as PictureFailure] ?? `ছবিটি লোড হচ্ছে না: এর হোস্ট ${banglaDigits(reason)} স্ট্যাটাস দিচ্ছে।`,
  pictures_not_checked: (count) => `${banglaDigits(count)}টি ছবি পরীক্ষা করা হয়নি।`,
}

/** The words of the report as a CSV file. */
export const BATCH_REPORT: typeof english.BATCH_REPORT = {
  headings: ['সারি', 'কলাম', 'ধরন', 'সমস্যা'],
  error: 'ত্রুটি',
  warning: 'সতর্কতা',
}
