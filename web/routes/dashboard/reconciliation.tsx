import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import {
  type CardCase,
  cardReconciliation,
  cardTransactionsFile,
  resolveCardCase,
} from '#contract/card-reconciliation.ts'
import { CARD_CASE_NAMES } from '#web/features/payments/card-case-names.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { call, download } from '#web/lib/api.ts'
import { formatDollars } from '#web/lib/format.ts'
import { formatDateTime, formatTimeAgo } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useChange } from '#web/lib/use-change.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { prompt } from '#web/ui/dialogs.tsx'
import { DownloadButton } from '#web/ui/download-button.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders the balance at the card processor and its differences from our payments. */
export default function Reconciliation() {
  const { data } = useSuspenseQuery(queryOf(cardReconciliation, {}))
  const { until, totals, cases } = data
  return (
    <Screen
      title={t`Reconciliation`}
      subtitle={t`The balance at the card processor compared with our payments`}
    >
      <div className="space-y-6">
        <section aria-labelledby="balance" className="card p-5">
          <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
            <h2 id="balance" className="text-lg">{t`Card processor`}</h2>
            <DownloadButton
              label={t`Download CSV`}
              fileName="card-transactions.csv"
              isDated
              load={() => download(cardTransactionsFile, {})}
              failure={t`Could not download the transactions`}
            />
          </div>
          <StatList>
            <StatRow name={t`Last comparison`}>
              {until === null ? t`Not run yet` : formatTimeAgo(until)}
            </StatRow>
            <StatRow name={t`Charged`}>{formatDollars(totals.charged)}</StatRow>
            <StatRow name={t`Refunded`}>{formatDollars(totals.refunded)}</StatRow>
            <StatRow name={t`Disputed`}>{formatDollars(totals.disputed)}</StatRow>
            <StatRow name={t`Fees`}>{formatDollars(totals.fees)}</StatRow>
            {totals.tax !== 0 && <StatRow name={t`Tax of our receipts`}>{formatDollars(totals.tax)}</StatRow>}
            <StatRow name={t`Paid out to your bank`}>{formatDollars(totals.payouts)}</StatRow>
          </StatList>
        </section>
        <section aria-labelledby="cases">
          <h2 id="cases" className="mb-3 text-lg">{t`Differences`}</h2>
          {cases.length === 0 ? (
            <p className="card p-5 text-sm text-dim">
              {until === null ? t`No comparison has run yet.` : t`No differences were found.`}
            </p>
          ) : (
            <ul className="grid grid-cols-1 gap-4 @4xl:grid-cols-2">
              {cases.map((one) => (
                <li key={one._id}>
                  <CaseCard case={one} />
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </Screen>
  )
}

function CaseCard({ case: one }: { case: CardCase }) {
  const { change } = useChange([cardReconciliation])
  const resolve = () =>
    prompt({
      title: t`Resolve this case?`,
      text: t`Your note is kept in the audit log.`,
      label: t`Note`,
      maxLength: 2000,
      requiredMessage: t`Enter a note for the audit log`,
      confirmLabel: t`Resolve`,
      draft: `resolve ${one._id}`,
      submit: (note) =>
        change(one._id, () => call(resolveCardCase, { params: { id: one._id }, body: { note } })),
    })
  return (
    <article className="card flex h-full flex-col gap-2 p-5 text-sm">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h3 className="text-base">{CARD_CASE_NAMES[one.kind]}</h3>
        <StatusBadge tone={one.resolved === null ? 'error' : 'neutral'}>
          {one.resolved === null ? t`Open` : t`Resolved`}
        </StatusBadge>
      </div>
      <p>
        {one.kind === 'other_currency'
          ? t`Transactions in other currencies are left out of the totals and the comparison. Set your account at the card processor to settle in US dollars.`
          : t`Card processor ${{ theirs: formatDollars(one.provider) }}, here ${{ ours: formatDollars(one.ours) }}`}
      </p>
      <p className="text-xs break-all text-dim">
        {formatDateTime(one.date)} · <CopyableText value={one.transactionId} name={t`transaction ID`} />
      </p>
      {one.resolved === null ? (
        <Button variant="default" className="mt-auto self-start" onClick={() => void resolve()}>
          {t`Resolve`}
        </Button>
      ) : (
        <p className="text-dim">
          <UserLink id={one.resolved.adminId} name={one.resolved.admin ?? t`Resolved automatically`} />,{' '}
          {formatDateTime(one.resolved.date)}: {one.resolved.note}
        </p>
      )}
    </article>
  )
}
