import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import type { AuditLogAction } from '#contract/admin-audit-log.ts'
import { auditDetailName } from '#contract/admin-audit-log-texts.en.ts'
import { type PayoutFileColumn, PayoutFileProfileEntry } from '#contract/payout-files.ts'
import { StatementCounts } from '#contract/payout-statements.ts'
import { settingTitle } from '#contract/setting-titles.en.ts'
import { sectionOf } from '#web/features/operator-settings/setting-section.ts'
import { changedFields } from '#web/features/operator-settings/setting-values.ts'
import { CARD_CASE_NAMES } from '#web/features/payments/card-case-names.ts'
import { FILE_LABELS } from '#web/features/payments/dispute-texts.ts'
import { countsText } from '#web/features/payout-files/counts-text.ts'
import { FIELD_NAMES } from '#web/features/payout-files/field-names.ts'
import { PAYOUT_CASE_NAMES } from '#web/features/payout-files/payout-case-names.ts'
import { SITE_PAGE_TITLES } from '#web/features/site-pages/page-titles.ts'
import { formatCents, formatNumber } from '#web/lib/format.ts'
import { ROLE_NAMES } from '#web/lib/role-names.ts'

const PAYOUT_SOURCES = {
  admin: t`Admin`,
  statement: t`Statement`,
  provider: t`Payout provider`,
}
const UNMATCHED_DECISIONS = { credit: t({ message: 'Credit', context: 'decision' }), refund: t`Refund` }
/** The names of values, by action and detail. */
const VALUE_NAMES: Record<string, Record<string, string>> = {
  'card_case_resolved kind': CARD_CASE_NAMES,
  'dispute_file_added file': FILE_LABELS,
  'dispute_file_removed file': FILE_LABELS,
  'payout_case_resolved decision': {
    confirm: t`Payout confirmed`,
    fail: t`Payout failed`,
    close: t`Case closed`,
  },
  'payout_case_resolved kind': PAYOUT_CASE_NAMES,
  'payout_failed source': PAYOUT_SOURCES,
  'review_decided decision': { upheld: t`Rejection upheld`, overturned: t`Rejection overturned` },
  'role_changed from': ROLE_NAMES,
  'role_changed to': ROLE_NAMES,
  'site_page_changed page': SITE_PAGE_TITLES,
  'unmatched_payment_cancelled decision': UNMATCHED_DECISIONS,
  'unmatched_payment_requested decision': UNMATCHED_DECISIONS,
  'withdrawal_approved source': PAYOUT_SOURCES,
}
const Columns = PayoutFileProfileEntry.shape.columns
const SettingValue = z.record(z.string(), z.unknown())

/** Renders the reason and the details of an action. Values that an earlier release has written are shown as they are. */
export function AuditDetails({ action: { act, reason, details } }: { action: AuditLogAction }) {
  const facts = factsOf(act, details)
  return (
    <>
      {reason !== '' && <span className="block wrap-anywhere">{reason}</span>}
      {facts !== '' && <span className="block text-xs wrap-anywhere text-dim">{facts}</span>}
    </>
  )
}

function factsOf(act: string, details: AuditLogAction['details']): string {
  const { from, to, before, after, ...others } = details
  const { setting } = others
  const fact = ([name, value]: [string, unknown]) =>
    value === '' || value === null || value === undefined
      ? []
      : `${auditDetailName(name)}: ${valueText(act, name, value)}`
  const move =
    act === 'role_changed'
      ? `${valueText(act, 'from', from)} → ${valueText(act, 'to', to)}`
      : Object.entries({ from, to }).flatMap(fact)
  const change =
    typeof setting === 'string'
      ? settingChanges(setting, before, after)
      : Object.entries({ before, after }).flatMap(fact)
  return [move, Object.entries(others).flatMap(fact), change].flat().join(' · ')
}

/** Returns what a change of a setting changes, and for a proposal what it proposes. */
function settingChanges(setting: string, before: unknown, after: unknown): string[] {
  const earlier = SettingValue.safeParse(before).data
  const later = SettingValue.safeParse(after).data ?? {}
  const { fields } = sectionOf(setting, later)
  return changedFields(earlier ?? {}, later, fields).map(({ label, from, to }) =>
    earlier === undefined ? `${label}: ${to}` : `${label}: ${from} → ${to}`,
  )
}

function valueText(act: string, name: string, value: unknown): string {
  const known = VALUE_NAMES[`${act} ${name}`]?.[String(value)]
  if (known !== undefined) return known
  if (name === 'setting') return settingTitle(String(value))
  if (/(^|_)cents$/.test(name)) return formatCents(Number(value))
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'string') return value
  const counts = StatementCounts.safeParse(value).data
  if (counts !== undefined) return countsText(counts)
  return Columns.safeParse(value).data?.map(columnText).join(', ') ?? JSON.stringify(value)
}

const columnText = ({ header, field }: PayoutFileColumn) => `${header} (${FIELD_NAMES[field]})`
