import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { myNotifications, NotificationCategory } from '#contract/notifications.ts'
import { groupNotifications } from '#web/features/notifications/group.ts'
import { NotificationsOfDay } from '#web/features/notifications/notification-list.tsx'
import { useMarkNotifications } from '#web/features/notifications/use-mark-notifications.ts'
import { useShownNotifications } from '#web/features/notifications/use-shown-notifications.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useSearchParams } from '#web/lib/search-params.ts'
import { useUserData } from '#web/lib/session.tsx'
import { PlainButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { IconCheck, IconRefresh } from '#web/ui/icons.ts'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Screen } from '#web/ui/screen.tsx'

const FILTERS = [
  { value: '', label: t`All` },
  { value: 'unread', label: t`Unread` },
  { value: 'work', label: t`Work` },
  { value: 'money', label: t`Money` },
  { value: 'account', label: t`Account` },
]
const PAGE_SIZE = 100
/** While there are fewer rows, pages are loaded without being asked for, until AUTOMATIC_NOTIFICATIONS are loaded. */
const FEW_ROWS = 10
const AUTOMATIC_NOTIFICATIONS = 500

/** Renders the user's notifications by day, with those about the same task in groups. */
export default function Notifications() {
  const [search] = useSearchParams()
  const show = search.get('show') ?? ''
  const category = NotificationCategory.safeParse(show).data
  const filter = show === 'unread' ? ({ unread: 'true' } as const) : category ? { category } : {}
  return <NotificationsScreen key={show} filter={filter} />
}

function NotificationsScreen({ filter }: { filter: { unread?: 'true'; category?: NotificationCategory } }) {
  const { email } = useUserData()
  const query = useSuspenseInfiniteQuery(infiniteQueryOf(myNotifications, { query: filter }, PAGE_SIZE))
  const { shown, newCount, showNew } = useShownNotifications(query, filter.unread !== undefined)
  const { mark, markAll } = useMarkNotifications(email, filter.category)
  const newest = shown[0]
  const isFiltered = Object.keys(filter).length > 0
  const days = groupNotifications(shown, query.hasNextPage)
  const rows = days.reduce((sum, { groups }) => sum + groups.length, 0)

  const { fetchNextPage, hasNextPage, isFetching, isFetchNextPageError } = query
  const loadsAutomatically =
    rows < FEW_ROWS && shown.length < AUTOMATIC_NOTIFICATIONS && !isFetchNextPageError
  const loadsNextPage = loadsAutomatically && hasNextPage && !isFetching
  useEffect(() => {
    if (loadsNextPage) void fetchNextPage()
  }, [loadsNextPage, fetchNextPage])

  // The button that shows them is removed.
  const list = useFocusRecovery<HTMLDivElement>(newCount > 0)

  return (
    <Screen
      title={t`Notifications`}
      width="narrow"
      action={
        newest && (
          <Button
            variant="default"
            leftSection={<IconCheck size={18} aria-hidden />}
            onClick={() => markAll(newest._id)}
          >
            {t`Mark all as read`}
          </Button>
        )
      }
    >
      <div className="mb-5">
        <FilterLinks label={t`Show`} name="show" options={FILTERS} />
      </div>
      <div role="status" className="sticky top-[76px] z-10 flex justify-center">
        {newCount > 0 && (
          <PlainButton className="mb-4" icon={<IconRefresh size={18} aria-hidden />} onClick={showNew}>
            {plural(newCount, { one: 'Show # new notification', other: 'Show # new notifications' })}
          </PlainButton>
        )}
      </div>
      {newest === undefined ? (
        newCount === 0 && (
          <EmptyState
            title={filter.unread ? t`No unread notifications` : t`No notifications`}
            action={
              isFiltered && (
                <Button component={Link} to="/dashboard/notifications" variant="default">
                  {t`Show all notifications`}
                </Button>
              )
            }
          >
            {t`What happens to your work, your coins and your account appears here.`}
          </EmptyState>
        )
      ) : (
        <div ref={list} tabIndex={-1} className="outline-none">
          {days.map((day) => (
            <NotificationsOfDay key={day.day} day={day} mark={mark} />
          ))}
          {!(loadsAutomatically && hasNextPage) && <LoadMore query={query} />}
        </div>
      )}
    </Screen>
  )
}
