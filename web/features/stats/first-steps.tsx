import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { listDestinations } from '#contract/destinations.ts'
import { buyerStats, workerStats } from '#contract/stats.ts'
import type { User } from '#contract/users.ts'
import { readStored, store } from '#web/lib/browser-storage.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { LinkButton, PlainButton } from '#web/ui/button.tsx'
import { Illustration } from '#web/ui/empty-state.tsx'
import { IconCircleCheck } from '#web/ui/icons.ts'

type Step = { name: string; text: ReactNode; isDone: boolean; to?: string; action?: string }
type Props = { user: User; children: ReactNode }

/** Renders a new worker's first steps instead of statistics that are all zero. */
export function WorkerFirstSteps({ user, children }: Props) {
  const { data: stats } = useSuspenseQuery(queryOf(workerStats, {}))
  if (stats.allTask > 0) return children
  return <NewWorkerSteps user={user}>{children}</NewWorkerSteps>
}

function NewWorkerSteps({ user, children }: Props) {
  const { data: destinations } = useSuspenseQuery(queryOf(listDestinations, {}))
  return (
    <FirstSteps
      userId={user._id}
      steps={[
        {
          name: t`Pick a task and submit your work`,
          text: t`Start work reserves a slot for you while you work.`,
          isDone: false,
          to: '/dashboard/available-task',
          action: t`Find a task`,
        },
        {
          name: t`Add a payout destination`,
          text: t`Your earnings are sent to this account.`,
          isDone: destinations.length > 0,
          to: '/dashboard/payout-destinations',
          action: t`Add a destination`,
        },
      ]}
      whenHidden={children}
    />
  )
}

/** Renders a new buyer's first steps instead of statistics that are all zero. */
export function BuyerFirstSteps({ user, children }: Props) {
  const { data: stats } = useSuspenseQuery(queryOf(buyerStats, {}))
  // A server of the version before does not count them all.
  const { totalSubmissions = stats.totalPaid + stats.pendingReviews }: Partial<typeof stats> = stats
  if (totalSubmissions > 0) return children
  const isPosted = stats.totalTasks > 0
  return (
    <FirstSteps
      userId={user._id}
      steps={[
        {
          name: t`Get coins`,
          text:
            user.coin > 0
              ? t`You have ${{ coins: formatCoins(user.coin) }}.`
              : t`Coins pay the workers of your tasks.`,
          isDone: user.coin > 0 || isPosted,
          to: '/dashboard/purchase-coin',
          action: t`Buy coins`,
        },
        {
          name: t`Post a task`,
          text: t`Describe the work, the number of workers and the pay.`,
          isDone: isPosted,
          to: '/dashboard/add-task',
          action: t`Post a task`,
        },
        {
          name: t`Review the work`,
          text: t`Submitted work appears in Task To Review. Approving it pays the worker.`,
          isDone: false,
          to: '/dashboard/my-task',
          action: t`View my tasks`,
        },
      ]}
      whenHidden={children}
    />
  )
}

type FirstStepsProps = { userId: string; steps: Step[]; whenHidden: ReactNode; children?: ReactNode }

/**
 * Renders steps with a button for the first that is not done, above `children`; `whenHidden` after they were hidden in this
 * browser.
 */
export function FirstSteps({ userId, steps, whenHidden, children }: FirstStepsProps) {
  const storageKey = `first-steps-hidden ${userId}`
  const [isHidden, setIsHidden] = useState(() => readStored(storageKey) === 'true')
  useFocusRecovery(isHidden)
  if (isHidden) return whenHidden
  const next = steps.find(({ isDone }) => !isDone)
  const hide = () => {
    setIsHidden(true)
    store(storageKey, 'true')
  }
  return (
    <>
      <section aria-labelledby="first-steps" className="card p-4 sm:p-5">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <h2 id="first-steps" className="text-lg">{t`First steps`}</h2>
          <PlainButton variant="subtle" onClick={hide}>{t`Hide`}</PlainButton>
        </div>
        <div className="float-right mt-2 ml-6 hidden lg:block">
          <Illustration />
        </div>
        <ol className="mt-2 space-y-4">
          {steps.map((step, index) => (
            <li key={step.name} className="flex gap-3">
              <span
                aria-hidden
                className={`grid size-7 shrink-0 place-items-center rounded-full text-sm font-number ${
                  step.isDone ? 'bg-soft text-on-soft' : 'border border-edge text-dim'
                }`}
              >
                {step.isDone ? <IconCircleCheck size={18} /> : formatNumber(index + 1)}
              </span>
              <div className="min-w-0">
                <p className="font-number">
                  {step.name}
                  {step.isDone && <span className="ml-2 text-sm font-normal text-dim">{t`Done`}</span>}
                </p>
                <p className="text-sm text-dim">{step.text}</p>
                {step === next && step.to !== undefined && (
                  <LinkButton className="mt-3" to={step.to}>
                    {step.action}
                  </LinkButton>
                )}
              </div>
            </li>
          ))}
        </ol>
      </section>
      {children}
    </>
  )
}
