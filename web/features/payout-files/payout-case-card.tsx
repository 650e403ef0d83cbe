import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { type PayoutCase, payoutCases, resolvePayoutCase } from '#contract/payout-statements.ts'
import type { PayoutState } from '#contract/payout-states.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { call } from '#web/lib/api.ts'
import { formatCents, formatNumber, formatTaka } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { useChange } from '#web/lib/use-change.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { prompt } from '#web/ui/dialogs.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { PAYOUT_CASE_NAMES } from './payout-case-names.ts'

const STATES: Record<string, string> = {
  queued: t({ message: 'queued', context: 'payout' }),
  sent: t({ message: 'sent', context: 'payout' }),
  confirmed: t({ message: 'confirmed', context: 'payout' }),
  failed: t({ message: 'failed', context: 'payout' }),
  unknown: t({ message: 'unknown', context: 'payout' }),
  removed: t({ message: 'removed', context: 'payout' }),
} satisfies Record<PayoutState, string>
const DECISIONS = {
  confirm: { title: t`Confirm this payout?`, text: t`The coins count as paid out. This cannot be undone.` },
  fail: { title: t`Mark this payout as failed?`, text: t`Its coins stay on hold for another attempt.` },
  close: { title: t`Close this case?`, text: t`Nothing else changes. Your note is kept in the audit log.` },
} as const
const STAYS_UNKNOWN = t`The payout stays unknown. To reopen this case, import the statement again. Your note is kept in the audit log.`

/** Renders a difference between a statement and a payout as a row, with the decisions that are possible. */
export function PayoutCaseCard({ case: one }: { case: PayoutCase }) {
  const { change } = useChange([payoutCases])
  const { line, payout, resolved } = one
  const decide = (decision: keyof typeof DECISIONS) =>
    prompt({
      ...DECISIONS[decision],
      ...(decision === 'close' && payout?.state === 'unknown' && { text: STAYS_UNKNOWN }),
      label: t`Note`,
      maxLength: 2000,
      requiredMessage: t`Enter a note for the audit log`,
      confirmLabel: t`Save`,
      danger: decision === 'confirm',
      draft: `${decision} ${one._id}`,
      submit: (note) =>
        change(one._id, () => call(resolvePayoutCase, { params: { id: one._id }, body: { decision, note } })),
    })
  const amount = (hundredths: number | null, currency: string) =>
    hundredths === null ? t`no amount` : currency === 'BDT' ? formatTaka(hundredths) : formatCents(hundredths)
  return (
    <article className="grid grid-cols-1 gap-x-6 gap-y-2 p-4 text-sm sm:px-5 @4xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_20rem]">
      <div className="min-w-0">
        <h3 className="mb-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-base">
          {PAYOUT_CASE_NAMES[one.kind]}
          <StatusBadge tone={resolved === null ? 'error' : 'neutral'}>
            {resolved === null ? t`Open` : t`Resolved`}
          </StatusBadge>
        </h3>
        <p className="text-xs wrap-anywhere text-dim">
          {t`${{ account: one.account }}, ${{ file: one.fileName }}, line ${{ number: formatNumber(line.number) }}`}
        </p>
      </div>
      <div className="min-w-0">
        <p className="wrap-anywhere">
          {t`Statement: ${{ line: [amount(line.amount, line.currency), line.status].filter(Boolean).join(', ') }}`}
          <Identifier value={line.accountNumber} name={t`account number of the statement`} />
        </p>
        {payout !== null && (
          <p className="wrap-anywhere">
            {t`Here: ${{ amount: payout.poisha === null ? formatCents(payout.cents) : formatTaka(payout.poisha) }}, ${{ state: STATES[payout.state] ?? payout.state }}`}
            <Identifier value={payout.accountNumber} name={t`account number of the payout`} />
          </p>
        )}
        <p className="flex flex-wrap gap-x-3 text-xs text-dim">
          {line.reference !== '' && <CopyableText value={line.reference} name={t`reference`} />}
          {line.transactionId !== '' && <CopyableText value={line.transactionId} name={t`transaction ID`} />}
        </p>
      </div>
      {resolved === null ? (
        <div className="flex flex-wrap content-start gap-2 @4xl:justify-end">
          {one.decidable && (
            <>
              <Button size="xs" onClick={() => void decide('confirm')}>{t`Confirm payout`}</Button>
              <Button
                variant="default"
                size="xs"
                onClick={() => void decide('fail')}
              >{t`Payout failed`}</Button>
            </>
          )}
          <Button variant="default" size="xs" onClick={() => void decide('close')}>{t`Close`}</Button>
        </div>
      ) : (
        <p className="text-dim">
          <UserLink id={resolved.adminId} name={resolved.admin ?? t`Resolved by a later statement`} />,{' '}
          {formatDateTime(resolved.date)} {resolved.note}
        </p>
      )}
    </article>
  )
}

/** Renders a value that is looked up elsewhere, after a dot; nothing where the statement has none. */
function Identifier({ value, name }: { value: string; name: string }) {
  if (value === '') return null
  return (
    <>
      {' · '}
      <CopyableText value={value} name={name} />
    </>
  )
}
