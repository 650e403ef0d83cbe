import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type CardDispute, listCardDisputes } from '#contract/card-disputes.ts'
import { disputeLabel } from '#web/features/payments/dispute-texts.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatDollars } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders the disputes of card payments, open ones first, by the deadline of the bank. */
export default function Disputes() {
  const { data: disputes } = useSuspenseQuery(queryOf(listCardDisputes, {}))
  return (
    <Screen title={t`Disputes`} subtitle={t`Card payments that buyers dispute with their bank`}>
      {disputes.length === 0 ? (
        <EmptyState title={t`No disputes.`}>{t`Card payments that are disputed appear here.`}</EmptyState>
      ) : (
        <ul aria-label={t`Disputes`} className="grid grid-cols-1 gap-4 @4xl:grid-cols-2">
          {disputes.map((dispute) => (
            <li key={dispute._id}>
              <DisputeCard dispute={dispute} />
            </li>
          ))}
        </ul>
      )}
    </Screen>
  )
}

function DisputeCard({ dispute }: { dispute: CardDispute }) {
  const { _id, buyer, amount, status, reason, isOpen, canRespond, respondBy, date, transactionId } = dispute
  const { name } = buyer
  return (
    <article className="card flex h-full flex-col gap-3 p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-lg tabular-nums">{formatDollars(amount)}</h2>
          <p className="text-sm wrap-anywhere text-dim">
            <UserLink id={buyer._id} name={buyer.name} />, {buyer.email}
          </p>
        </div>
        <StatusBadge tone={canRespond ? 'error' : isOpen ? 'warning' : 'neutral'}>
          {disputeLabel(status)}
        </StatusBadge>
      </div>
      <p className="text-sm">
        {canRespond && respondBy !== null
          ? t`Submit evidence by ${{ time: formatDateTime(respondBy) }}.`
          : t`Reason given by the bank: ${{ reason: disputeLabel(reason) }}.`}
      </p>
      <p className="text-xs break-all text-dim">
        {formatDateTime(date)} · <CopyableText value={transactionId} name={t`transaction ID`} />
      </p>
      <Link to={`/dashboard/disputes/${_id}`} className="link mt-auto inline-flex min-h-11 items-center">
        {canRespond ? (
          <Trans>
            Evidence and timeline<span className="sr-only"> of {name}</span>
          </Trans>
        ) : (
          <Trans>
            Timeline<span className="sr-only"> of {name}</span>
          </Trans>
        )}
      </Link>
    </article>
  )
}
