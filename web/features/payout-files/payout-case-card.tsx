import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type PayoutCase, payoutCases, resolvePayoutCase } from '#contract/payout-statements.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatCents, formatTaka } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { prompt, showMessage } from '#web/ui/dialogs.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

const KINDS: Record<PayoutCase['kind'], string> = {
  unknown_reference: 'Payment without a matching payout',
  unreadable_amount: 'The amount cannot be read',
  amount_differs: 'The amount differs',
  number_differs: 'The account number differs',
  edited_line: 'Settled line was changed',
  second_line: 'Second line for the same payout',
  other_transaction: 'Transaction ID differs from the confirmed one',
  not_sent: 'The payout was not released',
  paid_after_failure: 'Paid, but the payout failed here',
  failed_after_payment: 'Failed or returned, but confirmed here',
  own_payout: 'Payout to the Admin who imported the statement',
  unclear_status: 'The status is not clear',
}
const DECISIONS = {
  confirm: { title: 'Confirm this payout?', text: 'The coins count as paid out. This cannot be undone.' },
  fail: { title: 'Mark this payout as failed?', text: 'Its coins stay on hold for another attempt.' },
  close: { title: 'Close this case?', text: 'Nothing else changes. Your note is kept in the audit log.' },
} as const

/** Renders a difference between a statement and a payout, with the decisions that are possible. */
export function PayoutCaseCard({ case: one }: { case: PayoutCase }) {
  const queryClient = useQueryClient()
  const { line, payout, resolved } = one
  const decide = async (decision: keyof typeof DECISIONS) => {
    const note = await prompt({
      ...DECISIONS[decision],
      label: 'Note',
      maxLength: 2000,
      requiredMessage: 'Enter a note for the audit log',
      confirmLabel: 'Save',
      danger: decision === 'confirm',
    })
    if (note === null) return
    try {
      await call(resolvePayoutCase, { params: { id: one._id }, body: { decision, note } })
    } catch (error) {
      await showMessage({ title: 'Could not resolve the case', text: errorMessage(error), tone: 'error' })
    } finally {
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(payoutCases) })
    }
  }
  const amount = (hundredths: number | null, currency: string) =>
    hundredths === null ? 'no amount' : currency === 'BDT' ? formatTaka(hundredths) : formatCents(hundredths)
  return (
    <article className="card flex h-full flex-col gap-2 p-5 text-sm">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h3 className="text-base">{KINDS[one.kind]}</h3>
        <StatusBadge tone={resolved === null ? 'error' : 'neutral'}>
          {resolved === null ? 'Open' : 'Resolved'}
        </StatusBadge>
      </div>
      <p className="wrap-anywhere">
        Statement: {[amount(line.amount, line.currency), line.status].filter(Boolean).join(', ')}
        <Identifier value={line.accountNumber} name="account number of the statement" />
      </p>
      {payout !== null && (
        <p className="wrap-anywhere">
          Here: {payout.poisha === null ? formatCents(payout.cents) : formatTaka(payout.poisha)},{' '}
          {payout.state}
          <Identifier value={payout.accountNumber} name="account number of the payout" />
        </p>
      )}
      <p className="text-xs break-all text-dim">
        {one.account}, {one.fileName}, line {line.number}
        <Identifier value={line.reference} name="reference" />
        <Identifier value={line.transactionId} name="transaction ID" />
      </p>
      {resolved === null ? (
        <div className="flex flex-wrap content-start gap-2 @4xl:justify-end">
          {one.decidable && (
            <>
              <Button onClick={() => void decide('confirm')}>Confirm payout</Button>
              <Button variant="default" onClick={() => void decide('fail')}>
                Payout failed
              </Button>
            </>
          )}
          <Button variant="default" onClick={() => void decide('close')}>
            Close
          </Button>
        </div>
      ) : (
        <p className="text-dim">
          <UserLink id={resolved.adminId} name={resolved.admin ?? 'Resolved by a later statement'} />,{' '}
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
