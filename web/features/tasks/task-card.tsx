import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import type { SubmissionState } from '#contract/submission-states.ts'
import type { ListedTask } from '#contract/tasks.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { BuyerRecordLine } from '#web/features/records/buyer-record.tsx'
import { estimateWork } from '#web/features/records/work-estimate.ts'
import { TASK_CATEGORY_NAMES } from '#web/features/tasks/category-names.en.ts'
import { detailText } from '#web/features/tasks/detail-text.ts'
import { SlotsLeft } from '#web/features/tasks/slots-left.tsx'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import type { OwnTaskState } from '#web/features/tasks/use-task-states.ts'
import { formatDay, formatPeriod } from '#web/lib/format-time.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { IconCalendar } from '#web/ui/icons.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

/**
 * What a worker can do with a task: work on it, nothing because it is filled or on hold or not for them or has no item that they have not had,
 * or look at what became of their work.
 */
export type ViewerTaskStatus = 'open' | 'filled' | 'own' | 'ineligible' | 'held' | 'no_item' | SubmissionState

/** Work that was rejected can be handed in again while slots are left. */
const REJECTED: readonly ViewerTaskStatus[] = ['rejection_open', 'rejected']

/** Returns what the viewer can do with a task, of which they have this state. */
export function viewerStatusOf(
  task: ListedTask,
  viewerId: string | undefined,
  { state, ineligible }: OwnTaskState = { state: null, ineligible: null },
): ViewerTaskStatus {
  if (task.buyerId === viewerId) return 'own'
  if (state !== null && !REJECTED.includes(state)) return state
  if (task.worker < 1) return 'filled'
  if (ineligible !== null)
    return ineligible === 'no_item' || ineligible === 'held' ? ineligible : 'ineligible'
  return state ?? 'open'
}

/** Returns whether the viewer can submit work. */
export const canApply = (standing: ViewerTaskStatus) => standing === 'open' || REJECTED.includes(standing)

const BADGES: Partial<Record<ViewerTaskStatus, { tone: Tone; word: string }>> = {
  own: { tone: 'neutral', word: t`Your task` },
  ineligible: { tone: 'neutral', word: t`Not eligible` },
  held: { tone: 'neutral', word: t`On hold` },
  no_item: { tone: 'neutral', word: t`No items left for you` },
  pending: { tone: 'warning', word: t`In review` },
  revision_requested: { tone: 'warning', word: t`Revision requested` },
  appealed: { tone: 'warning', word: t`Appealed` },
  in_review: { tone: 'warning', word: t`With a reviewer` },
  approved: { tone: 'success', word: t`Paid` },
}

type Props = { task: ListedTask; standing: ViewerTaskStatus; isNew: boolean }

/** Renders a task in a list, with a link to its details. */
export function TaskCard({ task, standing, isNew }: Props) {
  const estimate = estimateWork(task.payable_amount, task.workSeconds)
  const buyer = task.buyer_name || t`Unknown`
  return (
    <article className="card flex h-full flex-col p-5 transition-colors hover:border-edge">
      <div className="flex items-start gap-4">
        <TaskPicture image={task.task_image_url} category={task.category} size={56} />
        <div className="min-w-0 flex-1">
          <p className="mb-0.5 truncate text-xs font-nav text-dim">
            {isNew && <NewMark />}
            <span className="sr-only">{t`Category`}: </span>
            {TASK_CATEGORY_NAMES[task.category]}
          </p>
          <h2 className="line-clamp-2 text-base leading-snug font-number tracking-normal">
            {task.task_title}
          </h2>
          <p className="mt-0.5 truncate text-sm text-dim">
            <Trans>
              By{' '}
              <Link to={`/users/${task.buyerId}`} className="link">
                {buyer}
              </Link>
            </Trans>
          </p>
        </div>
      </div>
      <p className="mt-3 line-clamp-2 text-sm text-dim">{detailText(task)}</p>
      <div className="mt-auto pt-4">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <p>
            <CoinAmount value={task.payable_amount} chip showUnit />
          </p>
          <p>
            <SlotsLeft slotsLeft={task.worker} slots={task.required_workers} closed={task.isClosed} />
          </p>
        </div>
        {canApply(standing) && (
          <p className="mt-3 text-xs text-dim">{t`Reviewed within ${{ period: formatPeriod(task.review_hours) }}, otherwise paid automatically`}</p>
        )}
        <p className="mt-1 text-xs text-dim">
          <BuyerRecordLine record={task.buyerRecord} />
        </p>
        {estimate !== null && (
          <p className="mt-1 text-xs text-dim">{t`Takes ${{ time: estimate.time }}, ${{ pay: estimate.pay }}`}</p>
        )}
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
          <p className="flex items-center gap-1.5 text-sm text-dim">
            <IconCalendar size={18} stroke={1.8} aria-hidden />
            <span className="sr-only">{t`Deadline`} </span>
            {formatDay(task.completion_date)}
          </p>
          <CardAction task={task} standing={standing} />
        </div>
      </div>
    </article>
  )
}

/** Renders the mark of a task that was posted since the user last looked. */
export function NewMark() {
  return (
    <span className="mr-1.5 rounded-full bg-fill px-1.5 py-px text-xs font-number text-white">
      {t`New`}
      <span className="sr-only">: </span>
    </span>
  )
}

/** Renders the link to a task, or why there is none. */
export function CardAction({ task, standing }: { task: ListedTask; standing: ViewerTaskStatus }) {
  if (standing === 'filled')
    return <span className="py-2 text-sm font-nav text-dim">{t`Task already completed`}</span>
  const to = `/dashboard/task-details/${task._id}`
  const badge = BADGES[standing]
  if (badge) {
    return (
      <Link to={to} className="py-2 no-underline hover:underline">
        <StatusBadge tone={badge.tone}>{badge.word}</StatusBadge>
        <span className="sr-only">: {task.task_title}</span>
      </Link>
    )
  }
  return (
    <LinkButton to={to} variant="light">
      <span>
        {standing === 'open' ? t`Apply Task` : t`Rejected: try again`}
        <span className="sr-only">: {task.task_title}</span>
      </span>
    </LinkButton>
  )
}
