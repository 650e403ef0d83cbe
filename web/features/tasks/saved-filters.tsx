import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import {
  FILTER_NAME_MAX,
  SAVED_FILTERS_MAX,
  type SavedTaskFilter,
  setTaskFilters,
  taskFilters,
} from '#contract/task-filters.ts'
import type { TaskFilterValues } from '#web/features/tasks/task-filter.tsx'
import { call } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useReplaceMutation } from '#web/lib/use-replace-mutation.ts'
import { PlainButton } from '#web/ui/button.tsx'
import { prompt } from '#web/ui/dialogs.tsx'
import { IconPlus, IconX } from '#web/ui/icons.ts'
import { showFailure } from '#web/ui/show-failure.ts'

/** Renders the user's saved filters as links, and the button that saves the present one. */
export function SavedFilters({ filter, filtered }: { filter: TaskFilterValues; filtered: boolean }) {
  const saved = useQuery(queryOf(taskFilters, {})).data?.filters
  const replace = useReplaceMutation({
    read: taskFilters,
    send: (value) => call(setTaskFilters, { body: value }),
  })
  const list = useFocusRecovery<HTMLUListElement>(saved?.length)
  if (saved === undefined) return null
  const present = searchOf(toSaved('', filter))
  const isSaved = saved.some((one) => searchOf(one) === present)

  const change = (edit: (filters: SavedTaskFilter[]) => SavedTaskFilter[]) =>
    replace.mutateAsync(({ filters }) => ({ filters: edit(filters) }))
  const remove = (removed: string) =>
    showFailure(
      t`Error`,
      change((filters) => filters.filter(({ name }) => name !== removed)),
    )
  const save = () =>
    prompt({
      title: t`Save this filter`,
      text: t`It is listed above the tasks, on every device where you sign in.`,
      label: t`Name`,
      placeholder: t`Translations from 10 coins`,
      maxLength: FILTER_NAME_MAX,
      requiredMessage: t`Enter a name`,
      confirmLabel: t`Save`,
      draft: `filter ${present}`,
      submit: (name) =>
        change((filters) => [...filters.filter((one) => one.name !== name), toSaved(name, filter)]),
    })

  if (saved.length === 0 && !filtered) return null
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label={t`Saved filters`}
      className="flex flex-wrap items-center gap-2 outline-none"
    >
      {saved.map((one) => {
        const search = searchOf(one)
        return (
          <li
            key={one.name}
            className={`inline-flex max-w-full items-center rounded-full border ${
              search === present
                ? 'border-transparent bg-soft text-on-soft'
                : 'border-line bg-surface text-dim'
            }`}
          >
            <Link
              to={`?${search}`}
              aria-current={search === present ? 'page' : undefined}
              preventScrollReset
              className="min-h-9 min-w-0 truncate py-1.5 pl-3.5 text-sm font-nav no-underline hover:underline"
            >
              {one.name}
            </Link>
            <button
              type="button"
              aria-label={t`Delete the filter ${{ name: one.name }}`}
              className="grid size-9 shrink-0 place-items-center rounded-full hover:text-ink"
              onClick={() => void remove(one.name)}
            >
              <IconX size={15} stroke={1.8} aria-hidden />
            </button>
          </li>
        )
      })}
      {filtered && !isSaved && saved.length < SAVED_FILTERS_MAX && (
        <li>
          <PlainButton
            variant="subtle"
            icon={<IconPlus size={16} stroke={1.8} aria-hidden />}
            onClick={() => void save()}
          >
            {t`Save this filter`}
          </PlainButton>
        </li>
      )}
    </ul>
  )
}

function toSaved(name: string, { q, category, pay_min, open, sort }: TaskFilterValues): SavedTaskFilter {
  return {
    name,
    q: q || undefined,
    category: category || undefined,
    pay_min: Number(pay_min) || undefined,
    open: open === 'true' || undefined,
    sort,
  }
}

/** Returns the query string of the page with this filter. */
function searchOf({ q, category, pay_min, open, sort }: SavedTaskFilter): string {
  const values = { q, category, pay_min: pay_min && String(pay_min), open: open ? 'true' : undefined, sort }
  return new URLSearchParams(
    Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]),
  ).toString()
}
