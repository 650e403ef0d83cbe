import type { TaskCategory } from './task-categories.ts'

/** Beginnings of words, and phrases, by category. The first category that matches is the guess. */
const RULES: readonly [TaskCategory, readonly string[]][] = [
  ['translation', ['translat', 'অনুবাদ']],
  ['transcription', ['transcri', 'subtitle', 'caption', 'voice note', 'type what', 'প্রতিলিপি']],
  [
    'labeling',
    ['label', 'annotat', 'classif', 'categori', 'tag image', 'tag photo', 'bounding box', 'লেবেল', 'চিহ্নিত'],
  ],
  ['survey', ['survey', 'questionnaire', 'poll', 'opinion', 'feedback', 'জরিপ', 'মতামত']],
  ['testing', ['test', 'bug', 'usability', 'install', 'try our app', 'পরীক্ষা', 'টেস্ট']],
  [
    'social_media',
    [
      'facebook',
      'instagram',
      'tiktok',
      'youtube',
      'social media',
      'subscribe',
      'follow',
      'share our',
      'hashtag',
      'ফেসবুক',
      'ইনস্টাগ্রাম',
      'টিকটক',
      'ইউটিউব',
      'ফলো',
      'সাবস্ক্রাইব',
    ],
  ],
  [
    'design',
    [
      'logo',
      'design',
      'banner',
      'poster',
      'illustrat',
      'thumbnail',
      'flyer',
      'draw',
      'নকশা',
      'ডিজাইন',
      'লোগো',
      'ব্যানার',
      'পোস্টার',
    ],
  ],
  [
    'writing',
    [
      'write',
      'writing',
      'article',
      'blog',
      'proofread',
      'rewrite',
      'product description',
      'essay',
      'লেখা',
      'লিখুন',
    ],
  ],
  ['local', ['shop', 'market', 'visit', 'nearby', 'bazar', 'bazaar', 'store', 'দোকান', 'বাজার']],
  ['photo_video', ['photo', 'picture of', 'pictures of', 'video', 'selfie', 'record', 'ছবি', 'ভিডিও']],
  [
    'data_entry',
    ['data entry', 'spreadsheet', 'excel', 'enter', 'copy', 'type', 'fill in', 'pdf', 'receipt', 'এন্ট্রি'],
  ],
  [
    'research',
    [
      'research',
      'find',
      'search',
      'collect',
      'look up',
      'list of',
      'lead',
      'compare',
      'check',
      'খুঁজ',
      'গবেষণা',
      'সংগ্রহ',
      'তালিকা',
    ],
  ],
]

/** The title and this much of the details decide; what follows is detail. */
const DETAIL_LENGTH = 2000

/** Returns the category that the words of a task suggest, `other` when none does. The title decides before the details. */
export function guessCategory(title: string, detail: string): TaskCategory {
  return matchRules(title) ?? matchRules(detail.slice(0, DETAIL_LENGTH)) ?? 'other'
}

function matchRules(text: string): TaskCategory | undefined {
  const words = ` ${text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')}`
  return RULES.find(([, beginnings]) => beginnings.some((beginning) => words.includes(` ${beginning}`)))?.[0]
}
