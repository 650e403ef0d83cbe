import type * as english from './unsubscribe-texts.en.ts'

type English = typeof english

/** The texts of the page that optional emails link to. */
export const UNSUBSCRIBE_TEXTS: English['UNSUBSCRIBE_TEXTS'] = {
  invalid: 'এই লিংকটি সঠিক নয়',
  instead: 'কোন ইমেইলগুলো পেতে চান, তা আপনার প্রোফাইলে বেছে নিন।',
  question: 'ইমেইল বন্ধ করবেন?',
  button: 'বন্ধ করুন',
  done: 'ইমেইল বন্ধ করা হয়েছে',
}

/** What unsubscribing from each category means. */
export const UNSUBSCRIBE_EFFECTS: English['UNSUBSCRIBE_EFFECTS'] = {
  workReceived: 'আপনার টাস্কে জমা দেওয়া কাজ, আপিল, প্রত্যাখ্যানের যাচাই ও এসবের সময়সীমা নিয়ে আর ইমেইল পাবেন না।',
  workDecided: 'আপনার কাজের সিদ্ধান্ত, সংশোধন, প্রত্যাখ্যানের যাচাই, বোনাস ও আপনার সময়সীমা নিয়ে আর ইমেইল পাবেন না।',
  payouts: 'আপনার উত্তোলন ও অ্যাকাউন্ট স্থগিত হওয়া নিয়ে আর ইমেইল পাবেন না।',
}
