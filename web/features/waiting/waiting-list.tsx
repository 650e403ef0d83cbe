import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { WAITING_MAX, type Waiting } from '#contract/waiting.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { timeLeft, useCurrentMinute } from '#web/features/submissions/time-left.ts'
import { WAITING_KINDS } from '#web/features/waiting/kinds.ts'
import { WAITING_NAMES } from '#web/features/waiting/names.ts'
import { formatCents, formatNumber } from '#web/lib/format.ts'
import { formatRoundedDuration } from '#web/lib/format-time.ts'
import { IconChevronRight } from '#web/ui/icons.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

const URGENT_MS = 24 * 3_600_000
const ORDER = Object.keys(WAITING_KINDS)

/** A form that was begun and not sent. */
export type Draft = { to: string; name: string }

/** Renders what waits for the user and what is in progress, each as a link with its amount and its age or deadline. */
export function WaitingList({ waiting, drafts }: { waiting: Waiting[]; drafts: Draft[] }) {
  const ordered = waiting.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
  const inProgress = ordered.filter(({ kind }) => WAITING_KINDS[kind].inProgress)
  const toDo = ordered.filter(({ kind }) => !WAITING_KINDS[kind].inProgress)
  return (
    <>
      {toDo.length + drafts.length > 0 && (
        <Section title={t`What to do next`}>
          {toDo.map((item) => (
            <Row key={item.kind} item={item} />
          ))}
          {drafts.map(({ to, name }) => (
            <li key={to}>
              <Link to={to} className={ROW_CLASS}>
                <span className="min-w-0 flex-1">
                  <span className="font-number">{t`Unfinished task`}</span>
                  <span className="block truncate text-sm text-dim">{name}</span>
                </span>
                <Chevron />
              </Link>
            </li>
          ))}
        </Section>
      )}
      {inProgress.length > 0 && (
        <Section title={t`In progress`}>
          {inProgress.map((item) => (
            <Row key={item.kind} item={item} />
          ))}
        </Section>
      )}
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="card overflow-hidden">
      <h2 className="px-4 pt-4 pb-1 text-base sm:px-5">{title}</h2>
      <ul className="divide-y divide-line">{children}</ul>
    </section>
  )
}

const ROW_CLASS =
  'flex min-h-11 items-center gap-3 px-4 py-2.5 no-underline transition-colors hover:bg-canvas sm:px-5'
const Chevron = () => <IconChevronRight size={18} className="shrink-0 text-dim" aria-hidden />

function Row({ item }: { item: Waiting }) {
  const { kind, count, coins, cents } = item
  const { to } = WAITING_KINDS[kind]
  const { name } = WAITING_NAMES[kind]
  return (
    <li>
      <Link to={to} className={ROW_CLASS}>
        <span className="flex min-w-0 flex-1 flex-wrap items-center justify-end gap-x-3">
          <span className="flex min-w-0 flex-1 basis-40 flex-wrap items-center gap-x-3 gap-y-0.5">
            <span className="font-number">
              {name(count, count < WAITING_MAX ? formatNumber(count) : `${formatNumber(count)}+`)}
            </span>
            <When item={item} />
          </span>
          {cents !== null ? (
            <span className="shrink-0 font-number tabular-nums">{formatCents(cents)}</span>
          ) : (
            coins !== null && <CoinAmount value={coins} />
          )}
        </span>
        <Chevron />
      </Link>
    </li>
  )
}

/** Renders the time until the first deadline, or else the age of the oldest. */
function When({ item: { kind, count, oldest, deadline } }: { item: Waiting }) {
  const now = useCurrentMinute()
  const left = deadline === null ? null : timeLeft(deadline, now)
  const textOf = WAITING_NAMES[kind].deadline
  if (deadline !== null && left !== null && textOf !== undefined) {
    const text = textOf(left)
    const isUrgent = !WAITING_KINDS[kind].inProgress && Date.parse(deadline) - now < URGENT_MS
    return isUrgent ? (
      <StatusBadge tone="warning">{text}</StatusBadge>
    ) : (
      <span className="text-sm text-dim">{text}</span>
    )
  }
  if (oldest === null) return null
  const age = formatRoundedDuration(Math.max(0, (now - Date.parse(oldest)) / 1000))
  return <span className="text-sm text-dim">{count === 1 ? t`${age} ago` : t`oldest ${age} ago`}</span>
}
