import { useState } from 'react'
import type { Submission } from '#contract/submissions.ts'

export type Selection = ReturnType<typeof useSelection>

/** Returns the selection among `selectable` submissions. Its functions return the submissions that are then selected. */
export function useSelection(selectable: readonly Submission[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [anchor, setAnchor] = useState<string>()
  const selectedOf = (set: ReadonlySet<string>) => selectable.filter(({ _id }) => set.has(_id))

  function set(next: ReadonlySet<string>): Submission[] {
    setIds(next)
    return selectedOf(next)
  }

  /** Returns the ids from the anchor, the last toggled submission, to this one; undefined when the anchor is no longer selectable. */
  function rangeTo(id: string): string[] | undefined {
    const [from = -1, to = -1] = [anchor, id]
      .map((end) => selectable.findIndex(({ _id }) => _id === end))
      .sort(ascending)
    return from === -1 ? undefined : selectable.slice(from, to + 1).map(({ _id }) => _id)
  }

  return {
    has: (id: string) => ids.has(id) && selectable.some(({ _id }) => _id === id),
    selected: selectedOf(ids),
    add: (added: string[]) => set(new Set([...ids, ...added])),
    /** Selects or deselects a submission; with `extend`, selects all from the one toggled before. */
    toggle(id: string, extend = false) {
      const range = extend ? rangeTo(id) : undefined
      setAnchor(id)
      if (range) return set(new Set([...ids, ...range]))
      const next = new Set(ids)
      if (!next.delete(id)) next.add(id)
      return set(next)
    },
    all: () => set(new Set(selectable.map(({ _id }) => _id))),
    clear() {
      setAnchor(undefined)
      return set(new Set())
    },
  }
}

const ascending = (a: number, b: number) => a - b
