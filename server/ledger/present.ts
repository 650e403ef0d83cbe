import type { StatementLine as WireLine } from '#contract/ledger.ts'
import type { Locale } from '#contract/locales.ts'
import type { StatementLine } from './statement.ts'
import * as bangla from './statement-texts.bn.ts'
import * as english from './statement-texts.en.ts'

const TEXTS = { en: english, bn: bangla }

/** Returns the name of a kind of transfer; `coins` are negative for debits. */
export function statementKindText(kind: string, coins: number, locale: Locale): string {
  const { STATEMENT_TEXTS, SUMMARY_TEXTS } = TEXTS[locale]
  return SUMMARY_TEXTS[kind] ?? STATEMENT_TEXTS[kind]?.({ title: null, coins }) ?? kind
}

export function presentStatementLine(line: StatementLine, locale: Locale): WireLine {
  const { id, kind, coins, balance, debt, created_at } = line
  const text = TEXTS[locale].STATEMENT_TEXTS[kind]?.(line) ?? kind
  return { _id: String(id), kind, text, coins, balance, debt, time: created_at }
}
