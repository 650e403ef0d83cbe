import { plural, t } from '@lingui/core/macro'
import { Progress } from '@mantine/core'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { PlainButton } from '#web/ui/button.tsx'
import { useSecondsUntil } from './decision-notice.tsx'
import type { DecisionEntry } from './decision-queue.ts'
import { namesOf, sumOf } from './decisions.tsx'

type Props = {
  entries: DecisionEntry[]
  undoLatest: () => void
  commit: () => void
  retry: () => void
}

/** Renders what happens to the decisions: those that wait, the progress of sending, and those that were not sent. */
export function DeskStatus({ entries, undoLatest, commit, retry }: Props) {
  const waiting = entries.filter(({ phase }) => phase === 'waiting')
  const unsent = entries.filter(({ phase }) => phase === 'unsent').length
  if (waiting.length > 0) return <Waiting entries={waiting} undoLatest={undoLatest} commit={commit} />
  if (entries.some(({ phase }) => phase === 'sending')) return <SendProgress entries={entries} />
  if (unsent === 0) return null
  return (
    <Line text={plural(unsent, { one: '# decision not sent', other: '# decisions not sent' })}>
      <PlainButton variant="default" onClick={retry}>
        {t`Try again`}
      </PlainButton>
    </Line>
  )
}

function Waiting({
  entries,
  undoLatest,
  commit,
}: { entries: DecisionEntry[] } & Pick<Props, 'undoLatest' | 'commit'>) {
  const seconds = formatNumber(useSecondsUntil(Math.min(...entries.map(({ commitsAt }) => commitsAt))))
  const works = entries.map(({ work }) => work)
  const onlyApprovals = entries.every(({ decision }) => decision.kind === 'approve')
  const count = entries.length
  const text = onlyApprovals
    ? t`Paying ${{ coins: formatCoins(sumOf(works)) }} to ${{ workers: namesOf(works) }} in ${seconds} s`
    : plural(count, {
        one: `Sending # decision in ${seconds} s`,
        other: `Sending # decisions in ${seconds} s`,
      })
  return (
    <Line text={text}>
      <PlainButton variant="default" aria-keyshortcuts="u" onClick={undoLatest}>
        {t`Undo`}
      </PlainButton>
      <PlainButton variant="light" onClick={commit}>
        {onlyApprovals ? t`Pay now` : t`Send now`}
      </PlainButton>
    </Line>
  )
}

/** Renders how much of the decisions made together has been sent. */
function SendProgress({ entries }: { entries: DecisionEntry[] }) {
  const batches = new Set(entries.filter(({ phase }) => phase === 'sending').map(({ batch }) => batch))
  const all = entries.filter(({ batch }) => batches.has(batch))
  const done = all.filter(({ phase }) => phase !== 'sending').length
  return (
    <Line text={t`Sent ${{ done: formatNumber(done) }} of ${{ total: formatNumber(all.length) }}`}>
      <Progress.Root className="w-32">
        <Progress.Section value={(100 * done) / all.length} aria-label={t`Decisions sent`} />
      </Progress.Root>
    </Line>
  )
}

function Line({ text, children }: { text: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-40 text-sm font-nav tabular-nums">{text}</p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  )
}
