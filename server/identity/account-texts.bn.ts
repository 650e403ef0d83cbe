import type * as english from './account-texts.en.ts'

/** What the API returns after it has queued an email of the account. */
export const ACCOUNT_TEXTS: typeof english.ACCOUNT_TEXTS = {
  verificationSent: 'আপনার ইমেইলে একটি লিংক পাঠানো হয়েছে। ইমেইল যাচাই করতে সেটি খুলুন।',
  changeSent: 'এই ইমেইলে অন্য কোনো অ্যাকাউন্ট না থাকলে সেখানে একটি লিংক পাঠানো হয়েছে। লিংকটি খুললে আপনার ইমেইল বদলাবে।',
  resetSent: 'এই ইমেইলে কোনো অ্যাকাউন্ট থাকলে সেখানে নতুন পাসওয়ার্ড দেওয়ার একটি লিংক পাঠানো হয়েছে।',
}
