import { useState } from 'react'
import type { ListedNotification } from '#contract/notifications.ts'
import type { ShownNotification } from './group.ts'

/** `isFetching`: while it is true at first, the list comes from the cache and is replaced. */
type Query = { data: Source; isFetching: boolean; hasNextPage: boolean }
type Source = { pages: { reply: ListedNotification[] }[] }
type Shown = { source: Source; rows: ShownNotification[]; newest: number; settled: boolean }

const numberOf = ({ _id }: ListedNotification) => Number(_id)
const rowsOf = (source: Source) => source.pages.flatMap((page) => page.reply)

/**
 * Returns the notifications to show, newest first, such that none moves while they are read: newer ones are only counted
 * until `showNew`, and with `unreadOnly` one that was read stays.
 */
export function useShownNotifications(
  { data: source, isFetching, hasNextPage }: Query,
  unreadOnly: boolean,
): { shown: ShownNotification[]; newCount: number; showNew: () => void } {
  const open = (): Shown => {
    const newest = newestOf(source)
    const listed = rowsOf(source).filter(({ read }) => !(unreadOnly && read))
    return { source, rows: withLatest([], listed, newest, hasNextPage), newest, settled: !isFetching }
  }
  const [state, setState] = useState(open)
  let current = state
  if (!state.settled && (state.source !== source || !isFetching)) current = open()
  else if (state.source !== source)
    current = { ...state, source, rows: withLatest(state.rows, rowsOf(source), state.newest, hasNextPage) }
  if (current !== state) setState(current)

  return {
    shown: current.rows,
    newCount: rowsOf(source).filter((row) => numberOf(row) > current.newest).length,
    showNew: () => {
      const newest = newestOf(source)
      setState({ ...current, rows: withLatest(current.rows, rowsOf(source), newest, hasNextPage), newest })
    },
  }
}

function newestOf(source: Source): number {
  const [first] = rowsOf(source)
  return first === undefined ? 0 : numberOf(first)
}

/** Returns the shown rows as they are now, with those of the list that are not newer than `newest`. */
function withLatest(
  shown: ShownNotification[],
  listed: ListedNotification[],
  newest: number,
  hasNextPage: boolean,
) {
  // With more pages, older rows than the loaded ones are not known.
  const oldestListed = hasNextPage ? Math.min(...listed.map(numberOf)) : 0
  const rows = new Map<string, ShownNotification>()
  for (const row of shown) {
    // Absent from the range that is loaded: it was read elsewhere, and the list is of unread ones.
    rows.set(row._id, { ...row, read: row.read || numberOf(row) > oldestListed })
  }
  for (const row of listed) {
    if (numberOf(row) <= newest)
      rows.set(row._id, { ...row, wasUnread: rows.get(row._id)?.wasUnread ?? !row.read })
  }
  return [...rows.values()].sort((a, b) => numberOf(b) - numberOf(a))
}
