import type { OpenidError } from './openid-errors.en.ts'

export const EMAIL_UNVERIFIED_HERE =
  'আগে আপনার ইমেইল এখানে যাচাই করতে হবে। পাসওয়ার্ড দিয়ে সাইন আপ করুন, অথবা আপনার অ্যাকাউন্টের পাসওয়ার্ড রিসেট করুন।'

/** The texts of contract/openid-errors.en.ts in Bangla. */
export const OPENID_ERRORS: Record<OpenidError, string> = {
  'sign-in-cancelled': 'সাইন-ইন বাতিল করা হয়েছে।',
  'sign-in-expired': 'সাইন-ইন করতে বেশি সময় লেগেছে, অথবা এটি আগেই ব্যবহার করা হয়েছে। আবার চেষ্টা করুন।',
  'sign-in-refused': 'সাইন-ইন সেবা আপনার পরিচয় নিশ্চিত করেনি। আবার চেষ্টা করুন।',
  'service-unavailable': 'সাইন-ইন সেবার সঙ্গে এখন যোগাযোগ করা যাচ্ছে না। আবার চেষ্টা করুন, অথবা আপনার ইমেইল ও পাসওয়ার্ড দিন।',
  'email-not-verified': 'সাইন-ইন সেবা আপনার ইমেইল যাচাই করেনি। সেখানে ইমেইল যাচাই করুন, অথবা পাসওয়ার্ড দিয়ে সাইন আপ করুন।',
  'email-unverified-here': EMAIL_UNVERIFIED_HERE,
  'email-taken': 'এই ইমেইলে এখানে আগে থেকেই একটি অ্যাকাউন্ট আছে। পাসওয়ার্ড দিয়ে সাইন ইন করুন।',
  'too-many-attempts': 'অনেকবার চেষ্টা করা হয়েছে। কয়েক মিনিট পরে আবার চেষ্টা করুন।',
}
