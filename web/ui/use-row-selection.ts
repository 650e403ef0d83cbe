import { useState } from 'react'

type Row = { _id: string }
export type RowSelection<Selected extends Row> = ReturnType<typeof useRowSelection<Selected>>

/** Returns which of the selectable rows are selected, at most `max`. A row that stops being selectable is deselected. */
export function useRowSelection<Selected extends Row>(
  selectable: readonly Selected[],
  max = Number.POSITIVE_INFINITY,
) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const selected = selectable.filter(({ _id }) => ids.has(_id)).slice(0, max)
  // A row that comes back, such as after a search, is not selected again.
  if (selected.length < ids.size) setIds(new Set(selected.map(({ _id }) => _id)))
  return {
    selectable,
    /** How many can be selected at once. */
    selectableCount: Math.min(selectable.length, max),
    selected,
    has: ({ _id }: Row) => ids.has(_id),
    select: ({ _id }: Row, isSelected: boolean) => {
      if (!isSelected) setIds(new Set([...ids].filter((id) => id !== _id)))
      else if (selected.length < max) setIds(new Set([...ids, _id]))
    },
    selectAll: (isSelected: boolean) => setIds(new Set(isSelected ? selectable.map(({ _id }) => _id) : [])),
    selectOnly: (rows: readonly Row[]) => setIds(new Set(rows.map(({ _id }) => _id))),
  }
}
