import { useSearchParams, withParam } from '#web/lib/search-params.ts'

type Order = 'asc' | 'desc'

/**
 * Returns the order of a list from the URL's parameters `sort` and `order`, and a function that sorts by another column, or
 * turns the order round. The first of `sorts` is the default; texts ascend at first, numbers and times descend.
 */
export function useSorting<Sort extends string>(
  sorts: readonly [Sort, ...Sort[]],
  ascending: readonly Sort[],
) {
  const [search, setSearch] = useSearchParams()
  const sort = sorts.find((one) => one === search.get('sort')) ?? sorts[0]
  const firstOrder = (of: Sort): Order => (ascending.includes(of) ? 'asc' : 'desc')
  const given = search.get('order')
  const order = given === 'asc' || given === 'desc' ? given : firstOrder(sort)
  const set = (nextSort: Sort, nextOrder: Order) =>
    setSearch(
      (current) =>
        withParam(
          withParam(current, 'sort', nextSort === sorts[0] ? '' : nextSort),
          'order',
          nextOrder === firstOrder(nextSort) ? '' : nextOrder,
        ),
      { replace: true, preventScrollReset: true },
    )
  const onSort = (next: Sort) => {
    if (next !== sort) set(next, firstOrder(next))
    else set(sort, order === 'asc' ? 'desc' : 'asc')
  }
  return { sort, order, onSort, set }
}
