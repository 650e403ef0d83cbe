import { t } from '@lingui/core/macro'
import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '#web/lib/format.ts'
import { formatClock, formatDayHeading } from '#web/lib/format-time.ts'
import { IconCheck, IconChevronRight, IconMail } from '#web/ui/icons.ts'
import type { NotificationDay, NotificationGroup, ShownNotification } from './group.ts'

type Mark = (rows: readonly ShownNotification[], read: boolean) => void

/** Renders the notifications of a day below its heading. */
export function NotificationsOfDay({ day: { day, groups }, mark }: { day: NotificationDay; mark: Mark }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="mb-6">
      <h2 id={heading} className="mb-2 text-base">
        {formatDayHeading(day)}
      </h2>
      <ul className="card divide-y divide-line">
        {groups.map((group) => (
          <li key={group.key}>
            {group.notifications.length > 1 ? (
              <GroupRow group={group} mark={mark} />
            ) : (
              <NotificationRow notification={group.notifications[0] as ShownNotification} mark={mark} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Renders several notifications as one row: their page, where it is the same for all, and a button that lists them. */
function GroupRow({ group: { text, route, notifications }, mark }: { group: NotificationGroup; mark: Mark }) {
  const [isOpen, setIsOpen] = useState(false)
  const list = useId()
  const unread = notifications.filter((one) => !one.read)
  const newest = notifications[0] as ShownNotification
  const opener = { 'aria-expanded': isOpen, 'aria-controls': list, onClick: () => setIsOpen(!isOpen) }
  const chevron = (
    <IconChevronRight
      size={20}
      aria-hidden
      className={`mt-0.5 shrink-0 text-dim transition-transform ${isOpen ? 'rotate-90' : ''}`}
    />
  )
  const summary = (
    <>
      <Dot visible={unread.length > 0} />
      <span className="min-w-0 flex-1">
        {unread.length > 0 && (
          <VisuallyHidden>{t`${{ count: formatNumber(unread.length) }} new:`} </VisuallyHidden>
        )}
        <span className="font-nav">{text}</span>
        <span className="block text-xs text-dim">{formatClock(newest.time)}</span>
      </span>
    </>
  )
  return (
    <>
      <div className="flex items-start gap-1 pr-2">
        {route === null ? (
          <button type="button" className={`${ROW_CLASS} cursor-pointer text-left`} {...opener}>
            {summary}
            {chevron}
          </button>
        ) : (
          <>
            <Link
              to={route}
              className={`${ROW_CLASS} no-underline`}
              onClick={() => mark(notifications, true)}
            >
              {summary}
            </Link>
            <ActionIcon
              className="mt-1"
              size={44}
              variant="subtle"
              color="gray"
              title={t`Show each`}
              aria-label={t`Show each: ${{ notification: text }}`}
              {...opener}
            >
              {chevron}
            </ActionIcon>
          </>
        )}
        <ReadToggle read={unread.length === 0} of={text} onToggle={(read) => mark(notifications, read)} />
      </div>
      <ul id={list} hidden={!isOpen} className="divide-y divide-line border-t border-line pl-5 sm:pl-8">
        {isOpen &&
          notifications.map((notification) => (
            <li key={notification._id}>
              <NotificationRow notification={notification} mark={mark} />
            </li>
          ))}
      </ul>
    </>
  )
}

function NotificationRow({ notification, mark }: { notification: ShownNotification; mark: Mark }) {
  const { actionRoute, message, read, time } = notification
  return (
    <div className="flex items-start gap-1 pr-2">
      <Link
        to={actionRoute}
        className={`${ROW_CLASS} no-underline`}
        onClick={() => mark([notification], true)}
      >
        <Dot visible={!read} />
        <span className="min-w-0 flex-1">
          {!read && <VisuallyHidden>{t`New:`} </VisuallyHidden>}
          {message}
          <span className="block text-xs text-dim">{formatClock(time)}</span>
        </span>
      </Link>
      <ReadToggle read={read} of={message} onToggle={(next) => mark([notification], next)} />
    </div>
  )
}

// At 200 % text, distances that grow with it would leave a phone no room for words.
const ROW_CLASS =
  'flex min-w-0 flex-1 items-start gap-[min(0.75rem,3vw)] rounded-card px-[min(1rem,4vw)] py-3 text-sm hover:bg-canvas'

function Dot({ visible }: { visible: boolean }) {
  return <span aria-hidden className={`mt-2 size-2 shrink-0 rounded-full ${visible ? 'bg-fill' : ''}`} />
}

function ReadToggle({
  read,
  of,
  onToggle,
}: {
  read: boolean
  of: string
  onToggle: (read: boolean) => void
}) {
  return (
    <ActionIcon
      className="mt-1"
      size={44}
      variant="subtle"
      color="gray"
      title={read ? t`Mark as unread` : t`Mark as read`}
      aria-label={
        read ? t`Mark as unread: ${{ notification: of }}` : t`Mark as read: ${{ notification: of }}`
      }
      onClick={() => onToggle(!read)}
    >
      {read ? <IconMail size={18} aria-hidden /> : <IconCheck size={18} aria-hidden />}
    </ActionIcon>
  )
}
