import { plural, t } from '@lingui/core/macro'
import { ActionIcon } from '@mantine/core'
import { Link } from 'react-router'
import type { ListedTaskDraft } from '#contract/task-drafts.ts'
import { nameOf } from '#web/features/tasks/draft-name.ts'
import { useDraftActions } from '#web/features/tasks/use-draft-actions.tsx'
import { formatCoins } from '#web/lib/format.ts'
import { formatDateTime, formatDay, formatTimeAgo } from '#web/lib/format-time.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { IconClock, IconPencil, IconTrash, IconX } from '#web/ui/icons.ts'

type Props = { title: string; drafts: ListedTaskDraft[]; empty: string }

/** Renders drafts or templates with links that open them, and the buttons that rename and delete them. */
export function DraftList({ title, drafts, empty }: Props) {
  const scheduled = drafts.filter(({ postAt }) => postAt !== null).length
  const section = useFocusRecovery<HTMLElement>(`${drafts.length} ${scheduled}`)
  return (
    <section ref={section} tabIndex={-1} aria-label={title} className="outline-none">
      <h2 className="mb-3 text-lg">{title}</h2>
      {drafts.length === 0 ? (
        <p className="card p-5 text-dim">{empty}</p>
      ) : (
        <ul className="card divide-y divide-line px-5 sm:px-6">
          {drafts.map((draft) => (
            <li key={draft._id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 py-4">
              <DraftItem draft={draft} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function DraftItem({ draft }: { draft: ListedTaskDraft }) {
  const actions = useDraftActions()
  const name = nameOf(draft)
  return (
    <>
      <div className="min-w-0 flex-1 basis-56">
        <Link
          to={`/dashboard/add-task?draft=${draft._id}`}
          className="line-clamp-2 leading-snug font-number wrap-anywhere no-underline hover:underline"
        >
          {name}
        </Link>
        <p className="mt-1 text-sm text-dim">{factsOf(draft).join(' · ')}</p>
        {draft.postAt !== null && (
          <p className="mt-1 text-sm font-nav">{t`Will be posted ${{ time: formatDateTime(draft.postAt) }}, your local time`}</p>
        )}
        {draft.failure !== null && (
          <p className="mt-1 text-sm text-danger">{t`Not posted: ${{ reason: draft.failure.message }}`}</p>
        )}
      </div>
      <span className="flex flex-wrap gap-2">
        {!draft.template && (
          <ActionIcon
            aria-label={t`Schedule ${name}`}
            title={t`Schedule`}
            onClick={() => void actions.schedule(draft)}
          >
            <IconClock size={18} stroke={1.8} aria-hidden />
          </ActionIcon>
        )}
        {draft.postAt !== null && (
          <ActionIcon
            aria-label={t`Cancel the schedule of ${name}`}
            title={t`Cancel schedule`}
            onClick={() => void actions.cancelSchedule(draft)}
          >
            <IconX size={18} stroke={1.8} aria-hidden />
          </ActionIcon>
        )}
        <ActionIcon
          aria-label={t`Rename ${name}`}
          title={t`Rename`}
          onClick={() => void actions.rename(draft)}
        >
          <IconPencil size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
        <ActionIcon
          c="red"
          aria-label={t`Delete ${name}`}
          title={t`Delete`}
          onClick={() => void actions.remove(draft)}
        >
          <IconTrash size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
      </span>
    </>
  )
}

function factsOf(draft: ListedTaskDraft): string[] {
  const { required_workers: workers, payable_amount: pay, completion_date: day, changedAt } = draft
  return [
    ...(workers === undefined ? [] : [plural(workers, { one: '# worker', other: '# workers' })]),
    ...(pay === undefined ? [] : [t`${{ coins: formatCoins(pay) }} each`]),
    ...(day === undefined ? [] : [t`due ${{ day: formatDay(day) }}`]),
    t`saved ${{ time: formatTimeAgo(changedAt) }}`,
  ]
}
