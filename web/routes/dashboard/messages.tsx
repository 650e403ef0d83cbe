import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answerContact, type ContactMessage, contactMessages } from '#contract/contact.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { mailto } from '#web/lib/mailto.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useChange } from '#web/lib/use-change.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconCheck, IconMail } from '#web/ui/icons.ts'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { UserText } from '#web/ui/user-text.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders the messages of the contact form, newest first. */
export default function Messages() {
  const query = useSuspenseInfiniteQuery(infiniteQueryOf(contactMessages, {}))
  const messages = query.data.pages.flatMap((page) => page.reply)
  return (
    <Screen title={t`Messages`} subtitle={t`From the contact form, newest first`} width="narrow">
      {messages.length === 0 ? (
        <EmptyState title={t`No messages found.`}>
          {t`Messages from the contact form appear here.`}
        </EmptyState>
      ) : (
        <>
          <ul aria-label={t`Messages`} className="space-y-4">
            {messages.map((message) => (
              <li key={message._id}>
                <MessageCard message={message} />
              </li>
            ))}
          </ul>
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}

function MessageCard({ message }: { message: ContactMessage }) {
  const { change, pendingId } = useChange([contactMessages])
  const { answered } = message
  // The button that marks it is removed.
  const replyLink = useFocusRecovery<HTMLAnchorElement>(answered)
  const markAnswered = async () => {
    try {
      await change(message._id, () =>
        call(answerContact, { params: { id: message._id }, body: { answered: true } }),
      )
    } catch (error) {
      void toast({ message: errorMessage(error), tone: 'error' })
    }
  }
  const reply = mailto(message.email, `Re: ${message.subject}`)
  return (
    <article className="card p-5 sm:p-6">
      <div className="flex items-start gap-3">
        <Avatar name={message.name} size={42} />
        <div className="min-w-0 flex-1 leading-snug">
          <h2 className="text-base leading-snug font-number tracking-normal">{message.subject}</h2>
          <p className="mt-0.5 text-sm text-dim">
            {message.name} ·{' '}
            <Link
              className="link break-all"
              to={`/dashboard/manage-users?q=${encodeURIComponent(message.email)}`}
            >
              {message.email}
            </Link>{' '}
            · {formatDateTime(message.createdAt)}
          </p>
        </div>
        {answered && <StatusBadge tone="success">{t`Answered`}</StatusBadge>}
      </div>
      <UserText className="mt-4">{message.message}</UserText>
      <div className="mt-4 flex flex-wrap justify-end gap-3">
        {!answered && (
          <Button
            variant="default"
            loading={pendingId !== null}
            leftSection={<IconCheck size={18} aria-hidden />}
            onClick={() => void markAnswered()}
          >
            {t`Mark as answered`}
          </Button>
        )}
        <Button
          component="a"
          ref={replyLink}
          href={reply}
          variant={answered ? 'default' : 'filled'}
          leftSection={<IconMail size={18} aria-hidden />}
        >
          {t`Reply by email`}
        </Button>
      </div>
    </article>
  )
}
