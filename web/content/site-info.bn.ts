import type { Translated } from './translated.ts'

export const siteInfo: Translated<typeof import('./site-info.en.ts').siteInfo> = {
  name: 'Tallywork',
  tagline: 'ছোট কাজ, কয়েনে পারিশ্রমিক',
}
