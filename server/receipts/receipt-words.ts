import * as banglaAmounts from '#contract/amounts.bn.ts'
import * as englishAmounts from '#contract/amounts.en.ts'
import type { Locale } from '#contract/locales.ts'
import * as bangla from './receipt-texts.bn.ts'
import * as english from './receipt-texts.en.ts'

const WORDS = {
  en: { ...englishAmounts, ...english, dates: 'en-GB' },
  bn: { ...banglaAmounts, ...bangla, dates: 'bn-BD' },
}

export type ReceiptWords = typeof WORDS.en

/** Returns the words of receipts and statements in a language, its formats of amounts, and the name of its dates' format. */
export const receiptWords = (locale: Locale): ReceiptWords => WORDS[locale]
