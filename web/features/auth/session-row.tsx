import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Session } from '#contract/sessions.ts'
import { errorMessage } from '#web/lib/api.ts'
import { formatDateTime, formatTimeAgo } from '#web/lib/format-time.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { showMessage } from '#web/ui/dialogs.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { toast } from '#web/ui/toasts.tsx'

type Props = {
  session: Session
  end: () => Promise<unknown>
  /** The endpoint that lists the session. */
  list: Endpoint
}

/** Renders a session with a button that ends it, unless it is the one of this browser. */
export function SessionRow({ session, end, list }: Props) {
  const queryClient = useQueryClient()
  const ending = useMutation({
    mutationFn: end,
    onSuccess: () => toast({ message: t`Signed out of ${{ device: session.device }}.` }),
    onError: (error) =>
      showMessage({ title: t`Could not end the session`, text: errorMessage(error), tone: 'error' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeyOf(list) }),
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-4">
      <div className="min-w-0">
        <p className="font-nav break-words">{session.device}</p>
        <p className="text-sm break-words text-dim">
          {session.network !== '' && `${session.network} · `}
          <time dateTime={session.seenAt} title={formatDateTime(session.seenAt)}>
            {t`Last active ${{ seenAt: formatTimeAgo(session.seenAt) }}`}
          </time>
        </p>
      </div>
      {session.current ? (
        <StatusBadge tone="success">{t`This device`}</StatusBadge>
      ) : (
        <Button variant="default" loading={ending.isPending} onClick={() => ending.mutate()}>
          <Trans>
            Sign out<span className="sr-only"> {session.device}</span>
          </Trans>
        </Button>
      )}
    </li>
  )
}
