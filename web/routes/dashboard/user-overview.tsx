import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { statement } from '#contract/ledger.ts'
import { type LinkKind, type UserOverview, userOverview } from '#contract/user-overview.ts'
import { StatementList } from '#web/features/statement/statement-list.tsx'
import { CounterpartyGraph } from '#web/features/users/counterparty-graph.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { WithdrawalStatusBadge } from '#web/features/withdrawals/withdrawal-status.tsx'
import { formatCents, formatCoins, formatNumber, PAYMENT_SYSTEM_NAMES, pluralize } from '#web/lib/format.ts'
import { formatDateTime, formatTimeAgo } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders everything about one user, for Admins. */
export default function UserOverviewScreen() {
  const { id = '' } = useParams()
  const overview = useSuspenseQuery(queryOf(userOverview, { params: { id } })).data
  const { user } = overview
  return (
    <Screen
      title={user.name}
      subtitle={user.email}
      action={
        <LinkButton variant="default" to={`/dashboard/manage-users/${id}/sessions`}>
          Open sessions
        </LinkButton>
      }
    >
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <Summary overview={overview} />
        <Links name={user.name} links={overview.links} />
        <Destinations destinations={overview.destinations} />
        <Devices sessions={overview.sessions} />
        <Cards cards={overview.cards} />
        <Withdrawals withdrawals={overview.withdrawals} />
      </div>
      <Counterparties overview={overview} />
      <Transactions email={user.email} />
      <Actions actions={overview.actions} />
    </Screen>
  )
}

function Summary({ overview: { user, totals } }: { overview: UserOverview }) {
  return (
    <Section title="Summary">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <Avatar name={user.name} image={user.image} size={56} />
        <p className="text-sm text-dim">
          Joined {formatDateTime(user.joinedAt)}
          <br />
          {user.lastSeenAt === null ? 'Never signed in' : `Last seen ${formatTimeAgo(user.lastSeenAt)}`}
        </p>
        <span className="ml-auto flex flex-wrap gap-2">
          <StatusBadge tone="neutral">{user.role}</StatusBadge>
          {user.isReviewer && <StatusBadge tone="neutral">Reviewer</StatusBadge>}
          {user.isFrozen && <StatusBadge tone="error">Frozen</StatusBadge>}
          {user.deletedAt !== null && <StatusBadge tone="error">Deleted</StatusBadge>}
        </span>
      </div>
      <StatList>
        <StatRow name="User id">
          <CopyableText value={user._id} name="user id" />
        </StatRow>
        <StatRow name="Balance" strong>
          {formatCoins(totals.coins)}
        </StatRow>
        {totals.debt > 0 && <StatRow name="Debt">{formatCoins(totals.debt)}</StatRow>}
        <StatRow name="On hold for withdrawals">{formatCoins(totals.coinsOnHold)}</StatRow>
        <StatRow name="In escrow of tasks">{formatCoins(totals.coinsInEscrow)}</StatRow>
        <StatRow name="Paid by card">{formatCents(totals.paidInCents)}</StatRow>
        <StatRow name="Refunded or disputed">{formatCents(totals.returnedCents)}</StatRow>
        <StatRow name="Paid out">{formatCents(totals.paidOutCents)}</StatRow>
        <StatRow name="Requested">{formatCents(totals.requestedCents)}</StatRow>
        <StatRow name="Tasks posted">{formatNumber(totals.tasks)}</StatRow>
        <StatRow name="Work approved, rejected, pending">
          {formatNumber(totals.approved)}, {formatNumber(totals.rejected)}, {formatNumber(totals.pending)}
        </StatRow>
        <StatRow name="Appeals by the user, against the user">
          {formatNumber(totals.appeals)}, {formatNumber(totals.appealsAgainst)}
        </StatRow>
      </StatList>
    </Section>
  )
}

const LINK_TEXT: Record<LinkKind, string> = {
  destination: 'Same account number',
  holder: 'Same account holder',
  card: 'Same card',
  network: 'Same network',
}

function Links({ name, links }: { name: string; links: UserOverview['links'] }) {
  return (
    <Section
      title="Linked users"
      empty={links.length === 0 && `Nobody shares a number, card or network with ${name}.`}
    >
      <ul className="divide-y divide-line text-sm">
        {links.map((link) => (
          <li
            key={`${link._id} ${link.kind} ${link.value}`}
            className="flex flex-wrap justify-between gap-x-4 py-2"
          >
            <UserLink id={link._id} name={link.name} />
            <span className="text-dim wrap-anywhere">
              {LINK_TEXT[link.kind]}: {link.value}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Destinations({ destinations }: { destinations: UserOverview['destinations'] }) {
  return (
    <Section title="Payout destinations" empty={destinations.length === 0 && 'None used yet.'}>
      <ul className="divide-y divide-line text-sm">
        {destinations.map((one) => (
          <li
            key={`${one.system} ${one.accountNumber}`}
            className="flex flex-wrap justify-between gap-2 py-2"
          >
            <span className="wrap-anywhere">
              {PAYMENT_SYSTEM_NAMES[one.system]} <SearchLink value={one.accountNumber} />
              {one.holderName !== '' && <span className="block text-dim">{one.holderName}</span>}
            </span>
            <span className="flex items-center gap-2">
              {one.isVerified && <StatusBadge tone="success">Verified</StatusBadge>}
              {one.isRemoved && <StatusBadge tone="neutral">Removed</StatusBadge>}
              <span className="text-xs text-dim">since {formatDateTime(one.firstUsedAt)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Devices({ sessions }: { sessions: UserOverview['sessions'] }) {
  return (
    <Section title="Devices and networks" empty={sessions.length === 0 && 'No sign-ins.'}>
      <ul className="divide-y divide-line text-sm">
        {sessions.map((one) => (
          <li key={`${one.device} ${one.network}`} className="flex flex-wrap justify-between gap-2 py-2">
            <span className="wrap-anywhere">
              {one.device}
              {one.network !== '' && (
                <>
                  {' '}
                  · <SearchLink value={one.network} />
                </>
              )}
            </span>
            <span className="text-xs text-dim">
              {one.isOpen ? 'signed in' : 'signed out'}, last active {formatTimeAgo(one.seenAt)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Cards({ cards }: { cards: UserOverview['cards'] }) {
  return (
    <Section title="Cards" empty={cards.length === 0 && 'No card payments.'}>
      <ul className="divide-y divide-line text-sm">
        {cards.map((card) => (
          <li key={card.fingerprint} className="flex flex-wrap justify-between gap-2 py-2">
            <SearchLink value={card.fingerprint} label={`${card.brand} ${card.last4}`} />
            <span className="text-dim">
              {pluralize(card.payments, 'payment')}, {formatCents(card.cents)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Withdrawals({ withdrawals }: { withdrawals: UserOverview['withdrawals'] }) {
  return (
    <Section title="Withdrawals" empty={withdrawals.length === 0 && 'None requested.'}>
      <ul className="divide-y divide-line text-sm">
        {withdrawals.map((one) => (
          <li key={one._id} className="flex flex-wrap items-center justify-between gap-2 py-2">
            <span>
              {formatCents(one.cents)} to {PAYMENT_SYSTEM_NAMES[one.system]}{' '}
              <CopyableText value={one.accountNumber} name="account number" />
              <span className="block text-xs text-dim">
                {formatDateTime(one.createdAt)}
                {one.score !== null && `, risk ${one.score} of 100`}
              </span>
            </span>
            <WithdrawalStatusBadge status={one.status} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Counterparties({ overview: { user, counterparties, links } }: { overview: UserOverview }) {
  if (counterparties.length === 0) return null
  return (
    <section aria-labelledby="counterparties" className="mt-8">
      <h2 id="counterparties" className="mb-3 text-lg">
        Counterparties
      </h2>
      <div className="card mb-4 p-5">
        <div className="mx-auto max-w-2xl">
          <CounterpartyGraph
            name={user.name}
            counterparties={counterparties}
            linkedIds={new Set(links.map((link) => link._id))}
          />
        </div>
        <p className="mt-2 text-xs text-dim">
          Thicker lines: more coins. Green: coins to {user.name}, others: coins from {user.name}. Dashed: a
          linked user.
        </p>
      </div>
      <ResponsiveList
        label={`Users with whom coins of ${user.name} moved, most coins first`}
        rows={counterparties}
        rowKey={(row) => row._id}
        columns={[
          { header: 'Name', width: 'w-full', cell: (row) => <UserLink id={row._id} name={row.name} /> },
          { header: 'Role', cell: (row) => row.role },
          { header: 'Tasks done', align: 'right', cell: (row) => formatNumber(row.works) },
          { header: 'Coins received', align: 'right', cell: (row) => formatNumber(row.coinsFrom) },
          { header: 'Coins paid', align: 'right', cell: (row) => formatNumber(row.coinsTo) },
        ]}
        renderCard={(row) => (
          <div className="flex flex-wrap items-start justify-between gap-x-4 text-sm">
            <span className="min-w-0 flex-1 basis-28">
              <UserLink id={row._id} name={row.name} />
              <span className="block text-xs text-dim">
                {row.role}, {pluralize(row.works, 'task')} done
              </span>
            </span>
            <span className="ml-auto text-right wrap-normal">
              {formatCoins(row.coinsFrom)} received
              <span className="block">{formatCoins(row.coinsTo)} paid</span>
            </span>
          </div>
        )}
      />
    </section>
  )
}

function Transactions({ email }: { email: string }) {
  const { data } = useSuspenseQuery(queryOf(statement, { params: { email }, query: { limit: 20 } }))
  if (data.length === 0) return null
  return (
    <section aria-labelledby="transactions" className="mt-8">
      <h2 id="transactions" className="mb-3 text-lg">
        Latest transactions
      </h2>
      <StatementList lines={data} />
    </section>
  )
}

function Actions({ actions }: { actions: UserOverview['actions'] }) {
  if (actions.length === 0) return null
  return (
    <div className="mt-8">
      <Section title="Actions of Admins">
        <ul className="divide-y divide-line text-sm">
          {actions.map((action) => (
            <li key={`${action.at} ${action.act}`} className="py-2">
              <span className="font-number">{action.act.replaceAll('_', ' ')}</span> by {action.admin}
              <span className="block text-xs text-dim">{formatDateTime(action.at)}</span>
              {action.reason !== '' && <span className="block wrap-anywhere">{action.reason}</span>}
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}

/** Renders a section as a card, or its `empty` text. */
function Section({ title, empty, children }: { title: string; empty?: string | false; children: ReactNode }) {
  return (
    <section aria-label={title} className="card min-w-0 p-5">
      <h2 className="mb-2 text-lg">{title}</h2>
      {empty ? <p className="text-sm text-dim">{empty}</p> : children}
    </section>
  )
}

/** Renders a value as a link to the search for users with the same one. */
function SearchLink({ value, label = value }: { value: string; label?: string }) {
  return (
    <Link to={`/dashboard/user-search?q=${encodeURIComponent(value)}`} className="link wrap-anywhere">
      {label}
    </Link>
  )
}
