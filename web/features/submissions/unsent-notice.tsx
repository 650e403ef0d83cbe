import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useSiteName } from '#web/features/site/site.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { PlainButton } from '#web/ui/button.tsx'
import { UserText } from '#web/ui/user-text.tsx'
import { removeUnsent, type UnsentWork, useUnsentWork } from './unsent-work.ts'

const RETRY_MS = 30_000

/**
 * Sends the work that a Worker could not send: when the app is opened, when the network is back, and every half minute. Their role
 * may have changed since. Renders what waits and what was refused; nothing else.
 */
export function UnsentNotice({ userId }: { userId: string }) {
  const unsent = useUnsentWork(userId)
  const siteName = useSiteName()
  const pending = unsent.filter(({ refusal }) => refusal === undefined)
  const keys = pending.map(({ idempotencyKey }) => idempotencyKey).join()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys stand for the work
  useEffect(() => {
    if (keys === '') return
    const send = () => {
      if (!navigator.onLine) return
      void import('./send-work.ts').then(({ resumeWork }) => resumeWork(pending)).catch(() => {})
    }
    send()
    const timer = setInterval(send, RETRY_MS)
    addEventListener('online', send)
    return () => {
      clearInterval(timer)
      removeEventListener('online', send)
    }
  }, [keys])

  const shown = unsent.filter(({ isWaiting, refusal }) => isWaiting || refusal !== undefined)
  // Not when work is sent: the focus is elsewhere then.
  const [dismissals, setDismissals] = useState(0)
  const section = useFocusRecovery<HTMLElement>(dismissals)
  const dismiss = (work: UnsentWork) => {
    removeUnsent(work)
    setDismissals(dismissals + 1)
  }
  if (shown.length === 0) return null
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={t`Unsent work`}
      className="card mb-5 p-4 outline-none sm:p-5"
    >
      <ul className="divide-y divide-line">
        {shown.map((work) => (
          <li
            key={work.idempotencyKey}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2"
          >
            <div className="min-w-0">
              <p className="font-nav">{work.refusal === undefined ? t`Waiting to be sent` : t`Not sent`}</p>
              <Link to={pathOf(work)} className="link">
                {work.title}
              </Link>
              {work.item && (
                <span className="text-sm text-dim">
                  {' '}
                  {t`Item ${{ number: formatNumber(work.item.number) }}`}
                </span>
              )}
              <p className="text-sm text-dim">
                {work.refusal === undefined
                  ? t`It is sent when you are online and ${siteName} is open.`
                  : t`${{ reason: work.refusal }} Your text has been kept.`}
              </p>
              {work.refusal !== undefined && <KeptText work={work} />}
            </div>
            {work.refusal !== undefined && (
              <PlainButton variant="default" onClick={() => dismiss(work)}>
                {t`Dismiss`}
              </PlainButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function pathOf({ taskId, submissionId, item }: UnsentWork): string {
  if (taskId === undefined) return `/dashboard/case/${submissionId}`
  return item ? `/dashboard/batches/${taskId}/work` : `/dashboard/task-details/${taskId}`
}

/** Renders refused work whose form may not be shown any more. */
function KeptText({ work }: { work: UnsentWork }) {
  return <UserText className="text-sm">{textOf(work)}</UserText>
}

function textOf(work: UnsentWork): string {
  if (work.taskId === undefined) return work.text
  return work.item === undefined ? work.body.submissoin_data : work.item.text
}
