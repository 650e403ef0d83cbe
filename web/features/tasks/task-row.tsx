import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import type { ListedTask } from '#contract/tasks.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { BuyerRecordLine } from '#web/features/records/buyer-record.tsx'
import { estimateWork } from '#web/features/records/work-estimate.ts'
import { TASK_CATEGORY_NAMES } from '#web/features/tasks/category-names.en.ts'
import { SlotsLeft } from '#web/features/tasks/slots-left.tsx'
import { CardAction, NewMark, type ViewerTaskStatus } from '#web/features/tasks/task-card.tsx'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { formatDay } from '#web/lib/format-time.ts'
import './task-row.css'

type Props = { task: ListedTask; standing: ViewerTaskStatus; isNew: boolean }

/** Renders a task as a row of a dense list, with a link to its details. */
export function TaskRow({ task, standing, isNew }: Props) {
  const estimate = estimateWork(task.payable_amount, task.workSeconds)
  const buyer = task.buyer_name || t`Unknown`
  return (
    <article className="card task-row">
      <TaskPicture image={task.task_image_url} category={task.category} size={40} />
      <div className="task-row-text">
        <h2 className="text-sm leading-snug font-number tracking-normal">
          {isNew && <NewMark />}
          {task.task_title}
        </h2>
        <p className="text-xs text-dim">
          <span className="sr-only">{t`Category`}: </span>
          {TASK_CATEGORY_NAMES[task.category]} ·{' '}
          {estimate !== null && <>{t`Takes ${{ time: estimate.time }}`} · </>}
          <Trans>
            By{' '}
            <Link to={`/users/${task.buyerId}`} className="link">
              {buyer}
            </Link>
          </Trans>{' '}
          · <BuyerRecordLine record={task.buyerRecord} />
        </p>
      </div>
      <div className="task-row-facts">
        <p className="text-sm">
          <CoinAmount value={task.payable_amount} />
          {estimate !== null && <span className="block text-xs text-dim">{estimate.pay}</span>}
        </p>
        <p>
          <SlotsLeft slotsLeft={task.worker} slots={task.required_workers} closed={task.isClosed} />
        </p>
        <p className="text-xs text-dim">
          <span className="sr-only">{t`Deadline`} </span>
          {formatDay(task.completion_date)}
        </p>
      </div>
      <div className="flex justify-end">
        <CardAction task={task} standing={standing} />
      </div>
    </article>
  )
}
