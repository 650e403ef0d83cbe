import type { FormErrorCode } from './form-errors.en.ts'

/** The texts of contract/form-errors.en.ts in Bangla. */
export const FORM_ERRORS: Record<FormErrorCode, string> = {
  wrong_credentials: 'ইমেইল বা পাসওয়ার্ড ভুল।',
  second_factor_required: 'দ্বিতীয় ধাপ দিয়ে নিশ্চিত করুন যে এটি আপনিই।',
  email_not_verified: 'আগে আপনার ইমেইল যাচাই করুন: আমরা যে লিংক পাঠিয়েছি তা খুলুন।',
  email_taken: 'এই ইমেইলে আগে থেকেই একটি অ্যাকাউন্ট আছে।',
  invalid_fields: 'কিছু ঘর খালি বা সঠিক নয়।',
  'invalid_fields.email': 'ইমেইলের ফরম্যাট সঠিক নয়',
  'invalid_fields.password':
    'আরও শক্ত পাসওয়ার্ড দিন: কমপক্ষে ৬টি অক্ষর, তাতে একটি বড় হাতের অক্ষর, একটি ছোট হাতের অক্ষর ও একটি বিশেষ চিহ্ন থাকবে।',
  too_many_requests: 'অনেকবার চেষ্টা করা হয়েছে। কয়েক মিনিট পরে আবার চেষ্টা করুন।',
  unavailable: 'সেবাটি এখন ব্যস্ত বা আবার চালু হচ্ছে। কিছু বদলানো হয়নি; একটু পরে আবার চেষ্টা করুন।',
  internal: 'কিছু একটা ভুল হয়েছে!',
}
