import { t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { BELL_NOTIFICATIONS, notifications, readNotifications } from '#contract/notifications.ts'
import { call } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { IconButton } from '#web/ui/button.tsx'
import { IconBell } from '#web/ui/icons.ts'
import { ModalPanel } from '#web/ui/modal-panel.tsx'

/** Renders the bell with a dot while there are unread notifications. A click opens the list; closing marks it as read. */
export function NotificationBell({ email }: { email: string }) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { data = [] } = useQuery(
    queryOf(notifications, { params: { email }, query: { limit: BELL_NOTIFICATIONS } }),
  )
  const markRead = useMutation({
    mutationFn: (upTo: string) => call(readNotifications, { params: { email }, body: { upTo } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeyOf(notifications) }),
  })
  const unread = data.filter((notification) => !notification.read).length

  const toggle = (next: boolean) => {
    setOpen(next)
    // Marked as read on closing, so that new notifications stay highlighted while the list is open.
    const newest = data[0]
    if (!next && newest && unread > 0) markRead.mutate(newest._id)
  }

  return (
    <>
      <IconButton
        ref={button}
        className="relative"
        label={unread > 0 ? t`Notifications, ${{ count: formatNumber(unread) }} unread` : t`Notifications`}
        aria-haspopup="dialog"
        onClick={() => toggle(!open)}
      >
        <IconBell size={20} aria-hidden />
        {unread > 0 && (
          <span className="absolute top-1 right-1 size-[10px] rounded-full border-2 border-surface bg-[#c2321f]" />
        )}
      </IconButton>
      <ModalPanel label={t`Notifications`} opened={open} onClose={() => toggle(false)} below={button}>
        {data.length === 0 ? (
          <p className="px-5 py-8 text-center text-dim" tabIndex={-1} data-autofocus>{t`No notifications`}</p>
        ) : (
          <ul className="max-h-[min(26rem,70dvh)] overflow-y-auto p-1.5">
            {data.map((notification) => (
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
