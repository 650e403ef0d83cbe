import type * as english from './card-error-texts.en.ts'

/** The messages of card errors, by their decline code or their code. */
export const CARD_ERROR_TEXTS: typeof english.CARD_ERROR_TEXTS = {
  card_declined: 'আপনার কার্ড প্রত্যাখ্যাত হয়েছে।',
  insufficient_funds: 'আপনার কার্ডে পর্যাপ্ত টাকা নেই।',
  test_mode_live_card: 'আপনার কার্ড প্রত্যাখ্যাত হয়েছে। এখানে একটি টেস্ট কার্ড ব্যবহার করুন।',
  expired_card: 'আপনার কার্ডের মেয়াদ শেষ হয়ে গেছে।',
  incorrect_cvc: 'আপনার কার্ডের নিরাপত্তা কোড ভুল।',
  processing_error: 'আপনার কার্ড থেকে পেমেন্ট নিতে সমস্যা হয়েছে। কিছুক্ষণ পর আবার চেষ্টা করুন।',
  payment_intent_authentication_failure: 'আপনার পেমেন্টের মাধ্যমটি যাচাই করা যায়নি। অন্য মাধ্যম বেছে নিয়ে আবার চেষ্টা করুন।',
  incomplete_number: 'আপনার কার্ড নম্বর অসম্পূর্ণ।',
  invalid_number: 'আপনার কার্ড নম্বর সঠিক নয়।',
  invalid_expiry_month: 'আপনার কার্ডের মেয়াদের মাস সঠিক নয়।',
  invalid_expiry_year_past: 'আপনার কার্ডের মেয়াদের বছর পেরিয়ে গেছে।',
  incomplete_cvc: 'আপনার কার্ডের নিরাপত্তা কোড অসম্পূর্ণ।',
}
