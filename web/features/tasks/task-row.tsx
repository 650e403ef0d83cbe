import { Link } from 'react-router'
import type { ListedTask } from '#contract/tasks.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { BuyerRecordLine } from '#web/features/records/buyer-record.tsx'
import { estimateWork } from '#web/features/records/work-estimate.ts'
import { CATEGORY_NAMES } from '#web/features/tasks/category-names.en.ts'
import { SlotsLeft } from '#web/features/tasks/slots-left.tsx'
import { CardAction, NewMark, type TaskStanding } from '#web/features/tasks/task-card.tsx'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { formatDay } from '#web/lib/format-time.ts'

type Props = { task: ListedTask; standing: TaskStanding; isNew: boolean }

/** Renders a task as a row of a dense list, with a link to its details. */
export function TaskRow({ task, standing, isNew }: Props) {
  const estimate = estimateWork(task.payable_amount, task.workSeconds)
  return (
    <article className="card grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-3 py-2 transition-colors hover:border-edge md:grid-cols-[auto_minmax(0,1fr)_7.5rem_8rem_7rem_9.5rem]">
      <TaskPicture image={task.task_image_url} category={task.category} size={40} />
      <div className="min-w-0">
        <h2 className="truncate text-sm leading-snug font-number tracking-normal">
          {isNew && <NewMark />}
          {task.task_title}
        </h2>
        <p className="truncate text-xs text-dim">
          <span className="sr-only">Category: </span>
          {CATEGORY_NAMES[task.category]} · {estimate !== null && <>Takes {estimate.time} · </>}By{' '}
          <Link to={`/users/${task.buyerId}`} className="link">
            {task.buyer_name || 'Unknown'}
          </Link>{' '}
          · <BuyerRecordLine record={task.buyerRecord} />
        </p>
      </div>
      <p className="text-right text-sm">
        <CoinAmount value={task.payable_amount} />
        {estimate !== null && <span className="block text-xs text-dim">{estimate.pay}</span>}
      </p>
      <p className="max-md:col-start-2">
        <SlotsLeft slotsLeft={task.worker} slots={task.required_workers} closed={task.isClosed} />
      </p>
      <p className="text-xs text-dim max-md:hidden">
        <span className="sr-only">Deadline </span>
        {formatDay(task.completion_date)}
      </p>
      <div className="flex justify-end">
        <CardAction task={task} standing={standing} />
      </div>
    </article>
  )
}
