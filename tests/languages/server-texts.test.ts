import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as banglaProblems from '#contract/batch-problems.bn.ts'
import * as englishProblems from '#contract/batch-problems.en.ts'
import { FREEZE_REASONS as BANGLA_REASONS } from '#contract/freeze-reasons.bn.ts'
import { FREEZE_REASONS as ENGLISH_REASONS } from '#contract/freeze-reasons.en.ts'
import { OPENID_ERRORS as BANGLA_ERRORS } from '#contract/openid-errors.bn.ts'
import { OPENID_ERRORS as ENGLISH_ERRORS } from '#contract/openid-errors.en.ts'
import { ACCOUNT_TEXTS as BANGLA_ACCOUNT } from '#server/identity/account-texts.bn.ts'
import { ACCOUNT_TEXTS as ENGLISH_ACCOUNT } from '#server/identity/account-texts.en.ts'
import * as banglaStatement from '#server/ledger/statement-texts.bn.ts'
import * as englishStatement from '#server/ledger/statement-texts.en.ts'
import * as banglaPages from '#server/mail/unsubscribe-texts.bn.ts'
import * as englishPages from '#server/mail/unsubscribe-texts.en.ts'
import { CARD_ERROR_TEXTS as BANGLA_CARD_ERRORS } from '#server/payments/sandbox/card-error-texts.bn.ts'
import { CARD_ERROR_TEXTS as ENGLISH_CARD_ERRORS } from '#server/payments/sandbox/card-error-texts.en.ts'
import * as banglaReceipts from '#server/receipts/receipt-texts.bn.ts'
import * as englishReceipts from '#server/receipts/receipt-texts.en.ts'
import { assertBangla, assertTranslated, type Catalogue } from './compare.ts'

const noValues = () => ({})

test('every error of a provider sign-in has a Bangla sentence', () => {
  assertTranslated(ENGLISH_ERRORS, BANGLA_ERRORS, noValues)
})

test('every card error of the sandbox has a Bangla sentence', () => {
  assertTranslated(ENGLISH_CARD_ERRORS, BANGLA_CARD_ERRORS, noValues)
})

test('every reason of the server for a freeze has a Bangla sentence', () => {
  assertTranslated(ENGLISH_REASONS, BANGLA_REASONS, noValues)
})

test('every kind of transfer has a Bangla description', () => {
  const { STATEMENT_TEXTS, SUMMARY_TEXTS } = banglaStatement
  assertTranslated(englishStatement.STATEMENT_TEXTS as Catalogue, STATEMENT_TEXTS as Catalogue, noValues)
  assertTranslated(englishStatement.SUMMARY_TEXTS, SUMMARY_TEXTS, noValues)
})

test('the unsubscribe page and what the API says about emails are translated', () => {
  assertTranslated(ENGLISH_ACCOUNT, BANGLA_ACCOUNT, noValues)
  assertTranslated(englishPages.UNSUBSCRIBE_TEXTS, banglaPages.UNSUBSCRIBE_TEXTS, noValues)
  assertTranslated(englishPages.UNSUBSCRIBE_EFFECTS, banglaPages.UNSUBSCRIBE_EFFECTS, noValues)
})

test('every problem of a file and every text of a receipt is translated, with its parameters', () => {
  const catalogues: [english: object, bangla: object][] = [
    [englishProblems.BATCH_PROBLEM_TEXTS, banglaProblems.BATCH_PROBLEM_TEXTS],
    [englishProblems.BATCH_REPORT, banglaProblems.BATCH_REPORT],
    [englishReceipts.RECEIPT_TITLES, banglaReceipts.RECEIPT_TITLES],
    [englishReceipts.ITEM_TEXTS, banglaReceipts.ITEM_TEXTS],
    [englishReceipts.RECEIPT_TEXTS, banglaReceipts.RECEIPT_TEXTS],
    [englishReceipts.STATEMENT_SHEET_TEXTS, banglaReceipts.STATEMENT_SHEET_TEXTS],
  ]
  for (const [english, bangla] of catalogues) {
    assert.deepEqual(Object.keys(bangla), Object.keys(english))
    for (const [key, text] of Object.entries(bangla)) {
      if (typeof text !== 'function') {
        assertBangla(key, String(text))
        continue
      }
      const values = Array.from({ length: text.length }, (_, index) => index + 3)
      const filled = text(...values.map(String))
      assertBangla(key, filled)
      const inEnglish =
        (english as Record<string, (...values: string[]) => string>)[key]?.(...values.map(String)) ?? ''
      const shown = (value: number) => [String(value), String.fromCodePoint(0x09e6 + value)]
      for (const value of values.filter((value) => inEnglish.includes(String(value))))
        assert.ok(
          shown(value).some((digit) => filled.includes(digit)),
          `${key} omits a parameter`,
        )
    }
  }
})
