import { t } from '@lingui/core/macro'
import { TASK_CATEGORIES } from '#contract/task-category-ids.ts'
import type { TaskSort } from '#contract/tasks.ts'
import { CATEGORY_OPTIONS } from '#web/features/tasks/category-names.en.ts'
import { formatCoins } from '#web/lib/format.ts'
import { usePreference } from '#web/lib/preference.ts'
import { noParams, paramOf, useSearchParams, withParam } from '#web/lib/search-params.ts'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'

const SORT_OPTIONS = [
  { value: 'newest', label: t`Newest first` },
  { value: 'pay', label: t`Highest pay first` },
  { value: 'hourly', label: t`Highest pay per hour first` },
  { value: 'deadline', label: t`Earliest deadline first` },
  { value: 'slots', label: t`Most open slots first` },
]
const CATEGORY_CHOICES = [{ value: '', label: t`All categories` }, ...CATEGORY_OPTIONS]
const PAY_OPTIONS = [
  { value: '', label: t`Any pay` },
  ...[5, 10, 25, 50, 100].map((pay) => ({ value: String(pay), label: payLabel(pay) })),
]
const AVAILABILITY_OPTIONS = [
  { value: '', label: t`All tasks` },
  { value: 'true', label: t`With open slots` },
]

/** The first is the order of a browser that remembers none. */
const SORTS = ['newest', 'pay', 'hourly', 'deadline', 'slots'] as const

/** Returns the task filter from the URL and its setters. Invalid values are ignored. The browser remembers the order. */
export function useTaskFilter() {
  const [search, setSearch] = useSearchParams()
  const [usualSort, setUsualSort] = usePreference('task-sort', SORTS)
  const pay = search.get('pay_min') ?? ''
  const filter = {
    q: (search.get('q') ?? '').slice(0, 200),
    sort: paramOf(search, 'sort', SORTS) ?? usualSort,
    pay_min: /^\d{1,7}$/.test(pay) ? pay : '',
    open: search.get('open') === 'true' ? ('true' as const) : ('' as const),
    category: paramOf(search, 'category', TASK_CATEGORIES) ?? ('' as const),
  }
  const change = (name: keyof typeof filter, value: string) => {
    if (name === 'sort') setUsualSort(value as TaskSort)
    setSearch((current) => withParam(current, name, name === 'sort' && value === 'newest' ? '' : value), {
      replace: true,
      preventScrollReset: true,
    })
  }
  const clear = () => setSearch(noParams, { replace: true, preventScrollReset: true })
  const filtered = filter.q !== '' || filter.pay_min !== '' || filter.open !== '' || filter.category !== ''
  return { filter, change, clear, filtered }
}

export type TaskFilterValues = ReturnType<typeof useTaskFilter>['filter']

type Props = Pick<ReturnType<typeof useTaskFilter>, 'filter' | 'change'>

/** Renders the search field, sort order and filters of a task list. */
export function TaskFilterBar({ filter, change }: Props) {
  const count = [filter.category, filter.pay_min, filter.open].filter((value) => value !== '').length
  return (
    <FilterBar
      search={<SearchInput label={t`Search tasks`} value={filter.q} onChange={(q) => change('q', q)} />}
      count={count}
    >
      <NativeSelect
        label={t`Sort by`}
        data={SORT_OPTIONS}
        value={filter.sort}
        onChange={(value) => change('sort', value)}
      />
      <NativeSelect
        label={t`Category`}
        data={CATEGORY_CHOICES}
        value={filter.category}
        onChange={(value) => change('category', value)}
      />
      <NativeSelect
        label={t`Minimum pay`}
        data={withCustomPay(PAY_OPTIONS, filter.pay_min)}
        value={filter.pay_min}
        onChange={(value) => change('pay_min', value)}
      />
      <NativeSelect
        label={t`Availability`}
        data={AVAILABILITY_OPTIONS}
        value={filter.open}
        onChange={(value) => change('open', value)}
      />
    </FilterBar>
  )
}

/** Adds an option for a minimum pay from the URL that is not in the list. */
function withCustomPay(options: typeof PAY_OPTIONS, value: string) {
  return options.some((choice) => choice.value === value)
    ? options
    : [...options, { value, label: payLabel(Number(value)) }]
}

/** Formats a minimum pay: "5 coins or more". */
function payLabel(coins: number): string {
  return t`${{ coins: formatCoins(coins) }} or more`
}
