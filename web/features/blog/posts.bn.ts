import { posts as english } from './posts.en.ts'

type Slug = (typeof english)[number]['slug']

const TEXTS: Record<Slug, { tag: string; title: string; text: string; date: string }> = {
  'write-a-task': {
    tag: 'নির্দেশিকা',
    title: 'টাস্কের বিবরণ কীভাবে লিখলে ভালো ফল পাওয়া যায়',
    text: 'ভালো ফল কেমন হবে বলুন, একটি উদাহরণ দিন, আর একটি প্রমাণ চান। তিনটি বাক্য তিনটি প্রত্যাখ্যান বাঁচায়।',
    date: '১২ নভেম্বর ২০২৬',
  },
  'first-withdrawal': {
    tag: 'কর্মী',
    title: 'প্রথম কয়েন থেকে প্রথম উত্তোলন',
    text: 'দুইশ কয়েন হলে টাকা তোলা যায়। নতুন কর্মীরা কীভাবে প্রথম সপ্তাহেই সেখানে পৌঁছান, আর কোন টাস্ক দিয়ে শুরু করেন।',
    date: '২৮ অক্টোবর ২০২৬',
  },
  escrow: {
    tag: 'প্ল্যাটফর্ম',
    title: 'আপনার কয়েন কেন এসক্রোতে থাকে',
    text: 'টাস্ক দেওয়ার সময়ই পারিশ্রমিক আলাদা করে রাখা হয়। আপনি কাজ অনুমোদন করলে তা কর্মীর কাছে যায়, আর খালি স্লটের কয়েন ফেরত আসে।',
    date: '৯ অক্টোবর ২০২৬',
  },
}

/** The posts of web/features/blog/posts.en.ts in Bangla. */
export const posts = english.map((post) => ({ ...post, ...TEXTS[post.slug] }))
