import { useMediaQuery } from '@mantine/hooks'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Submission } from '#contract/submissions.ts'
import { useShortcuts } from '#web/features/shortcuts/use-shortcuts.ts'
import { formatCoins, pluralize } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { confirm } from '#web/ui/dialogs.tsx'
import { type DecisionEntry, type DecisionQueue, isUndecided, UNDO_MS } from './decision-queue.ts'
import {
  DECISION_KINDS,
  DECISIONS,
  type Decision,
  type DecisionKind,
  decisionKindsOf,
  sumOf,
} from './decisions.tsx'
import { DeskStatus } from './desk-status.tsx'
import { ReviewDetail } from './review-detail.tsx'
import { ReviewRow, type RowActions, rowElementId } from './review-row.tsx'
import { showReviewShortcuts } from './review-shortcuts.ts'
import { type Entries, nextUndecided, workOf } from './rows.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useClickGuard } from './use-click-guard.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useSelection } from './use-selection.ts'

const UNDO_SECONDS = UNDO_MS / 1000

type Props = {
  rows: readonly Submission[]
  entries: Entries
  queue: DecisionQueue
  /** Called with submissions that were decided, which keep their place in `rows`. */
  onDecided: (submissions: Submission[]) => void
}

/**
 * Renders the list of submissions and the one under review: beside the list on wide screens, below its row on narrow
 * ones. Everything can be done by keyboard.
 */
export function ReviewDesk({ rows, entries, queue, onDecided }: Props) {
  const { user: buyer } = useUserData()
  const isWide = useMediaQuery('(min-width: 64em)', true, { getInitialValueInEffect: false })
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [lastCurrent, setLastCurrent] = useState<Submission>()
  const [focusRequest, setFocusRequest] = useState<{ id: string }>()
  const [form, setForm] = useState<{ id: string; kind: DecisionKind }>()
  const [announcement, announce] = useState('')
  const isConfirming = useRef(false)
  const { onClickCapture, guard } = useClickGuard()

  const current =
    rows.find(({ _id }) => _id === lastCurrent?._id) ?? nextUndecided(rows, lastCurrent, entries) ?? rows[0]
  const undecided = rows.filter(({ _id }) => isUndecided(entries.get(_id)))
  const selection = useSelection(undecided)

  function moveTo(submission: Submission | undefined): void {
    if (submission === undefined) return
    setLastCurrent(submission)
    setForm(undefined)
    setFocusRequest({ id: submission._id })
  }

  function neighbour(step: 1 | -1): Submission | undefined {
    return rows[rows.findIndex(({ _id }) => _id === current?._id) + step]
  }

  function extendTo(submission: Submission | undefined): void {
    if (current === undefined || submission === undefined) return
    announceSelection(selection.add([current._id, submission._id]))
    moveTo(submission)
  }

  function announceSelection(selected: Submission[]): void {
    const works = selected.map(workOf)
    announce(
      works.length === 0 ? 'Nothing selected' : `${works.length} selected, ${formatCoins(sumOf(works))}`,
    )
  }

  function decide(submissions: Submission[], decision: Decision): void {
    const decided = queue.decide(submissions.map(workOf), decision)
    if (decided.length === 0) return
    guard()
    onDecided(submissions)
    selection.clear()
    const ids = new Set(decided.map(({ id }) => id))
    const others = rows.filter(({ _id }) => !ids.has(_id))
    moveTo(nextUndecided(others, submissions.at(-1), entries) ?? submissions.at(-1))
    announce(`${summaryOf(decision, submissions)}. Press U to undo.`)
  }

  function choose(kind: DecisionKind): void {
    const { create, Form } = DECISIONS[kind]
    if (create && selection.selected.length > 0) void decideSelected(create(buyer))
    else if (current === undefined || !isUndecided(entries.get(current._id))) return
    else if (!decisionKindsOf(current).includes(kind)) return
    else if (create) decide([current], create(buyer))
    else if (Form) setForm({ id: current._id, kind })
  }

  async function decideSelected(decision: Decision): Promise<void> {
    if (isConfirming.current) return
    isConfirming.current = true
    const { selected } = selection
    const { label } = DECISIONS[decision.kind]
    const count = pluralize(selected.length, 'submission')
    const isConfirmed = await confirm({
      title: `${label} ${count}?`,
      text: `${formatCoins(sumOf(selected.map(workOf)))} in total. You can undo this for ${UNDO_SECONDS} seconds.`,
      confirmLabel: `${label} ${count}`,
    })
    isConfirming.current = false
    if (isConfirmed) decide(selected, decision)
  }

  function showUndone(undone: DecisionEntry[]): void {
    const first = rows.find(({ _id }) => _id === undone[0]?.work.id)
    if (undone.length === 0) return
    moveTo(first)
    announce(`Undone: ${undone.length === 1 ? undone[0]?.work.worker : pluralize(undone.length, 'decision')}`)
  }

  function closeOrClear(): void {
    if (form) closeForm()
    else selection.clear()
  }

  function closeForm(): void {
    setForm(undefined)
    if (current) setFocusRequest({ id: current._id })
  }

  const undoLatest = () => showUndone(queue.undoLatest())
  const down = () => moveTo(neighbour(1))
  const up = () => moveTo(neighbour(-1))
  const extendDown = () => extendTo(neighbour(1))
  const extendUp = () => extendTo(neighbour(-1))
  useShortcuts(
    {
      j: down,
      k: up,
      arrowdown: down,
      arrowup: up,
      'shift+j': extendDown,
      'shift+k': extendUp,
      'shift+arrowdown': extendDown,
      'shift+arrowup': extendUp,
      ...Object.fromEntries(DECISION_KINDS.map((kind) => [DECISIONS[kind].shortcut, () => choose(kind)])),
      u: undoLatest,
      x: () => current && announceSelection(selection.toggle(current._id)),
      escape: closeOrClear,
      '?': () => void showReviewShortcuts(),
    },
    list,
  )

  const handlers: RowActions = {
    open: (id) => moveTo(rows.find(({ _id }) => _id === id)),
    toggle: (id, extend) => announceSelection(selection.toggle(id, extend)),
    undo: (id) => showUndone(queue.undo(id)),
    retry: queue.retry,
  }
  const latest = useRef(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  const actions = useMemo<RowActions>(
    () => ({
      open: (id) => latest.current.open(id),
      toggle: (id, extend) => latest.current.toggle(id, extend),
      undo: (id) => latest.current.undo(id),
      retry: () => latest.current.retry(),
    }),
    [],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new width moves no focus
  useLayoutEffect(() => {
    if (focusRequest) focusRow(focusRequest.id, isWide)
  }, [focusRequest])
  useKeptFocus(root, () => current && focusRow(current._id, isWide))

  const detail = current && (
    <ReviewDetail
      key={current._id}
      submission={current}
      entry={entries.get(current._id)}
      isWide={isWide}
      openForm={form?.id === current._id ? form.kind : null}
      choose={choose}
      decide={(decision) => decide([current], decision)}
      closeForm={closeForm}
      undo={actions.undo}
      retry={actions.retry}
    />
  )

  return (
    <div
      ref={root}
      onClickCapture={onClickCapture}
      className="card flex flex-col overflow-clip lg:h-[max(30rem,calc(100dvh-21.5rem))] lg:flex-row"
    >
      <section aria-label="Submissions" className="flex min-w-0 flex-col border-line lg:w-2/5 lg:border-r">
        <SelectionBar undecided={undecided} selection={selection} choose={choose} />
        <ul
          ref={list}
          aria-label="Pending submissions"
          className="min-h-0 flex-1 divide-y divide-line lg:overflow-y-auto"
        >
          {rows.map((submission) => {
            const isCurrent = submission === current
            return (
              <li
                key={submission._id}
                className="scroll-mt-35 [content-visibility:auto] [contain-intrinsic-size:auto_6rem] lg:scroll-mt-0"
              >
                <ReviewRow
                  submission={submission}
                  entry={entries.get(submission._id)}
                  isCurrent={isCurrent}
                  isSelected={selection.has(submission._id)}
                  actions={actions}
                />
                {isCurrent && !isWide && detail}
              </li>
            )
          })}
        </ul>
        <div className="border-t border-line bg-surface p-3 empty:hidden max-lg:sticky max-lg:bottom-0 max-lg:z-2 lg:min-h-17">
          <DeskStatus
            entries={[...entries.values()]}
            undoLatest={undoLatest}
            commit={queue.commit}
            retry={queue.retry}
          />
        </div>
      </section>
      {isWide && <div className="min-w-0 flex-1 overflow-y-auto">{detail}</div>}
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </div>
  )
}

function summaryOf({ kind }: Decision, submissions: Submission[]): string {
  const works = submissions.map(workOf)
  const [word] = DECISIONS[kind].waiting(UNDO_SECONDS).split(':')
  const subject = works.length === 1 ? works[0]?.worker : pluralize(works.length, 'submission')
  return `${word}: ${subject}, ${formatCoins(sumOf(works))}`
}

function focusRow(id: string, isWide: boolean): void {
  const row = document.getElementById(rowElementId(id))
  row?.focus({ preventScroll: true })
  row?.closest('li')?.scrollIntoView({ block: isWide ? 'nearest' : 'start', behavior: 'instant' })
}
