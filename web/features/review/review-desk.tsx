import { plural, t } from '@lingui/core/macro'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Submission } from '#contract/submissions.ts'
import { useShortcuts } from '#web/features/shortcuts/use-shortcuts.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { confirm } from '#web/ui/dialogs.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'
import { type DecisionEntry, type DecisionQueue, isUndecided, UNDO_MS } from './decision-queue.ts'
import {
  DECISION_KINDS,
  DECISIONS,
  type Decision,
  type DecisionKind,
  type DirectDecision,
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
import { useRestoreFocus } from './use-restore-focus.ts'
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
  const isWide = useIsWide()
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
  // What is shown stays under review, also when another submission arrives above it.
  if (current !== undefined && current._id !== lastCurrent?._id) setLastCurrent(current)
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
      works.length === 0
        ? t`Nothing selected`
        : t`${{ count: formatNumber(works.length) }} selected, ${{ coins: formatCoins(sumOf(works)) }}`,
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
    announce(announcementOf(decision, submissions))
  }

  /** Decides the selection if there is one and the decision can be made for many; otherwise the current submission. */
  function choose(kind: DecisionKind): void {
    const { direct } = DECISIONS[kind]
    if (direct && selection.selected.length > 0) void decideSelected(direct)
    else chooseForCurrent(kind)
  }

  function chooseForCurrent(kind: DecisionKind): void {
    const { direct, Form } = DECISIONS[kind]
    if (current === undefined || !isUndecided(entries.get(current._id))) return
    if (!decisionKindsOf(current).includes(kind)) return
    if (direct) decide([current], direct.create(buyer))
    else if (Form) setForm({ id: current._id, kind })
  }

  async function decideSelected({ create, question, confirmLabel }: DirectDecision): Promise<void> {
    if (isConfirming.current) return
    isConfirming.current = true
    const { selected } = selection
    const isConfirmed = await confirm({
      title: question(selected.length),
      text: t`${{ coins: formatCoins(sumOf(selected.map(workOf))) }} in total. You can undo this for ${{ seconds: formatNumber(UNDO_SECONDS) }} seconds.`,
      confirmLabel: confirmLabel(selected.length),
    })
    isConfirming.current = false
    if (isConfirmed) decide(selected, create(buyer))
  }

  function showUndone(undone: DecisionEntry[]): void {
    const [first] = undone
    if (first === undefined) return
    moveTo(rows.find(({ _id }) => _id === first.work.id))
    const count = undone.length
    announce(
      count === 1
        ? t`Undone: ${{ worker: first.work.worker }}`
        : plural(count, { one: 'Undone: # decision', other: 'Undone: # decisions' }),
    )
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
  useRestoreFocus(root, () => current && focusRow(current._id, isWide))

  const detail = current && (
    <ReviewDetail
      key={current._id}
      submission={current}
      entry={entries.get(current._id)}
      isWide={isWide}
      openForm={form?.id === current._id ? form.kind : null}
      choose={chooseForCurrent}
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
      className={`card flex overflow-clip ${isWide ? 'h-[max(30rem,calc(100dvh-21.5rem))]' : 'flex-col'}`}
    >
      <section
        aria-label={t`Submissions`}
        className={`flex min-w-0 flex-col border-line ${isWide ? 'w-2/5 border-r' : ''}`}
      >
        <SelectionBar undecided={undecided} selection={selection} choose={choose} isSticky={!isWide} />
        <ul
          ref={list}
          aria-label={t`Pending submissions`}
          className={`min-h-0 flex-1 divide-y divide-line ${isWide ? 'overflow-y-auto' : ''}`}
        >
          {rows.map((submission) => {
            const isCurrent = submission === current
            return (
              <li
                key={submission._id}
                className={`[content-visibility:auto] [contain-intrinsic-size:auto_6rem] ${isWide ? '' : 'scroll-mt-35'}`}
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
        <div
          className={`border-t border-line bg-surface p-3 empty:hidden ${isWide ? 'min-h-17' : 'sticky bottom-0 z-2'}`}
        >
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

function announcementOf({ kind }: Decision, submissions: Submission[]): string {
  const works = submissions.map(workOf)
  const [first] = works
  const count = works.length
  const subject =
    first !== undefined && count === 1
      ? first.worker
      : plural(count, { one: '# submission', other: '# submissions' })
  return DECISIONS[kind].announcement(subject, formatCoins(sumOf(works)))
}

function focusRow(id: string, isWide: boolean): void {
  const row = document.getElementById(rowElementId(id))
  row?.focus({ preventScroll: true })
  row?.closest('li')?.scrollIntoView({ block: isWide ? 'nearest' : 'start', behavior: 'instant' })
}
