import { test } from 'node:test'
import {
  AUDIT_ACT_NAMES as BANGLA_ACTS,
  AUDIT_DETAIL_NAMES as BANGLA_DETAILS,
} from '#contract/admin-audit-log-texts.bn.ts'
import { AUDIT_ACT_NAMES, AUDIT_DETAIL_NAMES } from '#contract/admin-audit-log-texts.en.ts'
import { RISK_TEXTS as BANGLA } from '#contract/risk-texts.bn.ts'
import { RISK_TEXTS as ENGLISH } from '#contract/risk-texts.en.ts'
import { assertBangla, assertTranslated, type Catalogue } from './compare.ts'

test('every reason of a risk score has a Bangla sentence with the same parameters', () => {
  assertTranslated(ENGLISH as Catalogue, BANGLA as Catalogue, () => ({}))
  const texts = [
    BANGLA.new_accounts({ percent: 0, worker: true }),
    BANGLA.new_accounts({ percent: 5, worker: false }),
    BANGLA.shared_network({ others: 2, sameDevice: false, users: [] }),
  ]
  for (const text of texts) assertBangla('risk', text)
})

test('every action of the audit log and each of its details has a Bangla name', () => {
  assertTranslated(AUDIT_ACT_NAMES, BANGLA_ACTS, () => ({}))
  assertTranslated(AUDIT_DETAIL_NAMES, BANGLA_DETAILS, () => ({}))
})
