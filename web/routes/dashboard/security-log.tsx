import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  type SecurityEvent,
  type SecurityEventKind,
  securityLog,
  securityLogFile,
} from '#contract/security-log.ts'
import { SECURITY_EVENT_NAMES } from '#contract/security-log-texts.en.ts'
import { Email } from '#contract/shapes.ts'
import { EventResult } from '#web/features/security-log/event-result.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { download } from '#web/lib/api.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { infiniteQueryOf, keepPreviousRows } from '#web/lib/queries.ts'
import { useSearchParams, withParam } from '#web/lib/search-params.ts'
import { DownloadButton } from '#web/ui/download-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput, useSearchQuery } from '#web/ui/search-input.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const KIND_OPTIONS = [
  { value: '', label: t`All events` },
  ...Object.entries(SECURITY_EVENT_NAMES).map(([value, label]) => ({ value, label })),
]

const isKind = (kind: string): kind is SecurityEventKind => Object.hasOwn(SECURITY_EVENT_NAMES, kind)

/** Renders the security log, filtered by email and kind of event. */
export default function SecurityLog() {
  const [search, setSearch] = useSearchParams()
  const [typed, setTyped] = useSearchQuery()
  const kind = search.get('kind') ?? ''
  const email = Email.safeParse(typed).data
  const isIncomplete = typed !== '' && email === undefined
  const query = useInfiniteQuery({
    ...infiniteQueryOf(securityLog, { query: { kind: isKind(kind) ? kind : undefined, email } }),
    enabled: !isIncomplete,
    placeholderData: keepPreviousRows,
  })
  const events = query.data?.pages.flatMap((page) => page.reply)
  return (
    <Screen
      title={t`Security Log`}
      subtitle={t`Sign-ins, access changes, refusals and exports of the last 400 days, newest first`}
      action={
        <DownloadButton
          label={t`Download JSON lines`}
          fileName="security-log.jsonl"
          isDated
          load={() => download(securityLogFile, {})}
          failure={t`Could not download the security log`}
        />
      }
    >
      <div className="mb-5 grid grid-cols-1 gap-3 sm:grid-cols-2 sm:max-w-2xl">
        <SearchInput label={t`Filter by email`} value={typed} onChange={setTyped} />
        <NativeSelect
          label={t`Kind of event`}
          data={KIND_OPTIONS}
          value={isKind(kind) ? kind : ''}
          onChange={(value) => setSearch((current) => withParam(current, 'kind', value), { replace: true })}
        />
      </div>
      {isIncomplete ? (
        <EmptyState title={t`Enter a complete email address`}>
          {t`The log can only be searched by full address.`}
        </EmptyState>
      ) : events === undefined ? (
        <QueryState query={query} skeleton={<ListSkeleton rows={8} />} />
      ) : events.length === 0 ? (
        <EmptyState title={t`No events found`}>{t`No events match your filter.`}</EmptyState>
      ) : (
        <>
          <ResponsiveList
            label={t`Security events, newest first`}
            rows={events}
            rowKey={(event) => event._id}
            columns={COLUMNS}
            renderCard={(event) => (
              <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <p className="min-w-0 font-number break-words">{event.text}</p>
                <EventResult result={event.result} />
                <p className="min-w-0 basis-full text-sm break-words">
                  <Account event={event} />
                </p>
                <p className="min-w-0 basis-full text-sm break-words text-dim">
                  {[formatDateTime(event.time), event.device, event.network]
                    .filter((part) => part !== '')
                    .join(' · ')}
                </p>
              </div>
            )}
          />
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}

const COLUMNS: Column<SecurityEvent>[] = [
  {
    header: t`Time`,
    cell: (event) => <span className="whitespace-nowrap text-dim">{formatDateTime(event.time)}</span>,
  },
  { header: t`Event`, width: 'w-2/5 min-w-48', cell: (event) => event.text },
  { header: t`Account`, width: 'min-w-40', cell: (event) => <Account event={event} /> },
  {
    header: t`Device and network`,
    width: 'min-w-40',
    cell: (event) => (
      <>
        {event.device}
        <span className="block whitespace-nowrap text-dim">{event.network}</span>
      </>
    ),
  },
  { header: t`Result`, cell: (event) => <EventResult result={event.result} /> },
]

/** Renders the email of the account, and of the Admin who acted on it. */
function Account({ event: { identity, email, emailHash, actor, actorEmail } }: { event: SecurityEvent }) {
  return (
    <>
      {email === null || identity === null ? (
        <span>{emailHash === null ? '—' : t`Unknown email`}</span>
      ) : (
        <UserLink id={identity} name={email} className="lg:whitespace-nowrap" />
      )}
      {actor !== null && actorEmail !== null && (
        <span className="block text-dim">
          <Trans>
            by <UserLink id={actor} name={actorEmail} className="lg:whitespace-nowrap" />
          </Trans>
        </span>
      )}
    </>
  )
}
