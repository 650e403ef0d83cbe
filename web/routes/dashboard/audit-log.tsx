import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  type AuditLogAction,
  AuditLogFilter,
  auditLog,
  auditLogChain,
  auditLogFile,
} from '#contract/admin-audit-log.ts'
import { AUDIT_ACT_NAMES, auditActName } from '#contract/admin-audit-log-texts.en.ts'
import { allUsers, publicProfile } from '#contract/users.ts'
import { AuditDetails } from '#web/features/audit-log/audit-details.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { download } from '#web/lib/api.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { infiniteQueryOf, keepPreviousRows, queryOf } from '#web/lib/queries.ts'
import { useSearchParams, withParam } from '#web/lib/search-params.ts'
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx'
import { DayRange } from '#web/ui/day-range.tsx'
import { DownloadButton } from '#web/ui/download-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const ACT_OPTIONS = [
  { value: '', label: t`All actions` },
  ...Object.entries(AUDIT_ACT_NAMES)
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label)),
]

/** Renders what Admins did, filtered by Admin, action, user and day. */
export default function AuditLog() {
  const [search, setSearch] = useSearchParams()
  const parameter = (name: string) => search.get(name) || undefined
  const set = (name: string) => (value: string) =>
    setSearch((current) => withParam(current, name, value), { replace: true, preventScrollReset: true })
  const { shape } = AuditLogFilter
  const filter = {
    admin: shape.admin.safeParse(parameter('admin')).data,
    act: shape.act.safeParse(parameter('act')).data,
    user: shape.user.safeParse(parameter('user')).data,
    from: shape.from.safeParse(parameter('from')).data,
    to: shape.to.safeParse(parameter('to')).data,
  }
  const { admin, act, from, to } = filter
  const query = useInfiniteQuery({
    ...infiniteQueryOf(auditLog, { query: filter }, 30),
    placeholderData: keepPreviousRows,
  })
  const current = useQuery(queryOf(allUsers, { query: { role: 'Admin' } })).data ?? []
  const actions = query.data?.pages.flatMap((page) => page.reply)
  // Former Admins can be chosen where they are listed, and by the URL.
  const listed = actions?.flatMap((action) => action.admin ?? []) ?? []
  const admins = new Map([...current, ...listed].map(({ _id, name }) => [_id, name]))
  const former = useQuery({
    ...queryOf(publicProfile, { params: { id: admin ?? '' } }),
    enabled: admin !== undefined && !admins.has(admin),
  }).data
  if (admin !== undefined && !admins.has(admin)) admins.set(admin, former?.name ?? t`Unknown`)
  return (
    <Screen
      title={t`Audit Log`}
      subtitle={t`Admin actions, newest first`}
      action={
        <DownloadButton
          label={t`Download CSV`}
          fileName="audit-log.csv"
          isDated
          load={() => download(auditLogFile, { query: filter })}
          failure={t`Could not download the audit log`}
        />
      }
    >
      <HashChain />
      <FilterBar
        search={<SearchInput label={t`User: email or ID`} value={filter.user ?? ''} onChange={set('user')} />}
        count={[admin, act, from, to].filter((value) => value !== undefined).length}
      >
        <NativeSelect
          label={t`Filter by Admin`}
          className="sm:w-56"
          data={[
            { value: '', label: t`All Admins` },
            ...[...admins].map(([value, label]) => ({ value, label })),
          ]}
          value={admin ?? ''}
          onChange={set('admin')}
        />
        <NativeSelect
          label={t`Filter by action`}
          className="sm:w-56"
          data={ACT_OPTIONS}
          value={act ?? ''}
          onChange={set('act')}
        />
        <DayRange from={from} to={to} set={set} />
      </FilterBar>
      {actions === undefined ? (
        <QueryState query={query} skeleton={<ListSkeleton rows={8} />} />
      ) : actions.length === 0 ? (
        <EmptyState title={t`No actions found`}>{t`No actions match your filter.`}</EmptyState>
      ) : (
        <>
          <DataTable
            label={t`Admin actions, newest first`}
            rows={actions}
            rowKey={({ number }) => String(number)}
            columns={COLUMNS}
            renderCard={(action) => (
              <div className="flex flex-col gap-1 text-sm">
                <p className="flex flex-wrap justify-between gap-x-3">
                  <span className="font-number">{auditActName(action.act)}</span>
                  <span className="text-dim">{formatDateTime(action.time)}</span>
                </p>
                <p>
                  {isOnAnother(action) ? (
                    <Trans>
                      <Admin action={action} /> about <OnWhom action={action} />
                    </Trans>
                  ) : (
                    <Admin action={action} />
                  )}
                </p>
                <AuditDetails action={action} />
              </div>
            )}
          />
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}

const COLUMNS: DataColumn<AuditLogAction>[] = [
  {
    header: t`Time`,
    cell: ({ time, number }) => (
      <span className="whitespace-nowrap text-dim" title={t`Entry ${number}`}>
        {formatDateTime(time)}
      </span>
    ),
  },
  { header: t`Admin`, width: 'min-w-40', cell: (action) => <Admin action={action} /> },
  { header: t`Action`, width: 'min-w-40', cell: ({ act }) => auditActName(act) },
  { header: t`User`, width: 'min-w-40', cell: (action) => <OnWhom action={action} /> },
  {
    header: t`Reason and details`,
    width: 'w-2/5 min-w-48',
    cell: (action) => <AuditDetails action={action} />,
  },
]

function Admin({ action: { admin } }: { action: AuditLogAction }) {
  return admin === null ? t`Unknown` : <UserLink id={admin._id} name={admin.name} />
}

/** Actions without another user have the Admin as their subject. */
const isOnAnother = ({ admin, user }: AuditLogAction) => user !== null && user._id !== admin?._id

function OnWhom({ action }: { action: AuditLogAction }) {
  const { user } = action
  return user !== null && isOnAnother(action) ? <UserLink id={user._id} name={user.name} /> : null
}

/** Renders whether each entry's hash covers the one before it. */
function HashChain() {
  const { data } = useQuery(queryOf(auditLogChain, {}))
  if (data === undefined) return null
  const { entries, broken, lastHash } = data
  return (
    <p className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <StatusBadge tone={broken === 0 ? 'success' : 'error'}>
        {broken === 0
          ? t`Hash chain unbroken`
          : plural(broken, { one: 'Hash chain broken at # entry', other: 'Hash chain broken at # entries' })}
      </StatusBadge>
      <span className="text-dim">{plural(entries, { one: '# entry', other: '# entries' })}</span>
      {lastHash !== null && (
        <span className="min-w-0 text-xs break-all text-dim">{t`Last hash: ${lastHash}`}</span>
      )}
    </p>
  )
}
