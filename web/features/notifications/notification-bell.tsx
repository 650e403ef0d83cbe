import { t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import {
  BELL_NOTIFICATIONS,
  myNotifications,
  notifications,
  setNotificationsRead,
  UNREAD_COUNT_HEADER,
} from '#contract/notifications.ts'
import { formatBadge } from '#web/features/waiting/use-waiting.ts'
import { call, callWithCount, errorMessage } from '#web/lib/api.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { invalidateEndpoints, queryKeyOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { IconButton, PlainButton } from '#web/ui/button.tsx'
import { IconBell } from '#web/ui/icons.ts'
import { ModalPanel } from '#web/ui/modal-panel.tsx'

/** Renders the bell with a dot while there are unread notifications. A click opens the newest; closing marks those as read. */
export function NotificationBell({ email }: { email: string }) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const input = { params: { email }, query: { limit: BELL_NOTIFICATIONS } }
  const query = useQuery({
    queryKey: [...queryKeyOf(notifications, input), 'count'],
    queryFn: ({ signal }) => callWithCount(notifications, input, UNREAD_COUNT_HEADER, { signal }),
  })
  const { data } = query
  const markRead = useMutation({
    mutationFn: (ids: string[]) => call(setNotificationsRead, { body: { ids, read: true } }),
    // Without a network it is sent later: nobody waits for it.
    networkMode: 'online',
    onSettled: () => {
      void invalidateEndpoints(queryClient, [notifications, myNotifications])
    },
  })
  const shown = data?.reply ?? []
  const unreadShown = shown.filter(({ read }) => !read).map(({ _id }) => _id)
  // Older ones are counted too. A server of the version before does not count them.
  const unread = data?.count ?? unreadShown.length

  const toggle = (next: boolean) => {
    setOpen(next)
    // Marked as read on closing, so that new notifications stay highlighted while the list is open.
    if (!next && unreadShown.length > 0) markRead.mutate(unreadShown)
  }

  return (
    <>
      <IconButton
        ref={button}
        className="relative"
        label={unread > 0 ? t`Notifications, ${{ count: formatBadge(unread) }} unread` : t`Notifications`}
        aria-haspopup="dialog"
        onClick={() => toggle(!open)}
      >
        <IconBell size={20} aria-hidden />
        {unread > 0 && (
          <span className="absolute top-1 right-1 size-[10px] rounded-full border-2 border-surface bg-[#c2321f]" />
        )}
      </IconButton>
      <ModalPanel label={t`Notifications`} opened={open} onClose={() => toggle(false)} below={button}>
        {data === undefined ? (
          <NotLoaded
            error={query.error}
            isPaused={query.fetchStatus === 'paused'}
            retry={() => void query.refetch()}
          />
        ) : shown.length === 0 ? (
          <p className="px-5 py-8 text-center text-dim" tabIndex={-1} data-autofocus>{t`No notifications`}</p>
        ) : (
          <ul className="max-h-[min(26rem,70dvh)] overflow-y-auto p-1.5">
            {shown.map((notification) => (
              <li key={notification._id}>
                <Link
                  to={notification.actionRoute}
                  onClick={() => toggle(false)}
                  className="flex gap-3 rounded-control px-3 py-2.5 no-underline hover:bg-canvas"
                >
                  <span
                    aria-hidden
                    className={`mt-2 size-2 shrink-0 rounded-full ${notification.read ? '' : 'bg-fill'}`}
                  />
                  <span className="text-sm">
                    {!notification.read && <span className="sr-only">{t`New:`} </span>}
                    {notification.message}
                    <span className="block text-xs text-dim">{formatTimeAgo(notification.time)}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
        <p className="border-t border-line p-1.5 text-center text-sm">
          {/* Not marked as read: the page shows what is new. */}
          <Link
            to="/dashboard/notifications"
            className="link inline-flex min-h-9 items-center"
            onClick={() => setOpen(false)}
          >
            {t`See all notifications`}
          </Link>
        </p>
      </ModalPanel>
    </>
  )
}

/** Renders why there are no notifications yet, in the place of the list. */
function NotLoaded(props: { error: Error | null; isPaused: boolean; retry: () => void }) {
  const { error, isPaused, retry } = props
  // The button is removed when it is pressed.
  const text = useFocusRecovery<HTMLParagraphElement>(error === null)
  return (
    <div className="px-5 py-8 text-center text-dim">
      <p ref={text} role="status" className="outline-none" tabIndex={-1} data-autofocus>
        {isPaused ? t`There is no connection` : error === null ? t`Loading…` : errorMessage(error)}
      </p>
      {error !== null && (
        <PlainButton className="mt-4" variant="default" onClick={retry}>{t`Try again`}</PlainButton>
      )}
    </div>
  )
}
