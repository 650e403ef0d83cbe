import { t } from '@lingui/core/macro'
import { Progress } from '@mantine/core'
import { formatNumber } from '#web/lib/format.ts'

type Props = {
  /** The accessible name. */
  label: string
  value: number
  /** Null while it is not known. */
  total: number | null
  /** Formats both values; whole numbers without it. */
  format?: (value: number) => string
}

/** Renders a progress bar with its values in words. */
export function LabelledProgress({ label, value, total, format = formatNumber }: Props) {
  const percent = total === null || total === 0 ? 100 : Math.min(100, (value / total) * 100)
  return (
    <div>
      <p className="mb-2 flex flex-wrap justify-between gap-x-4 text-sm">
        <span>{label}</span>
        <span className="font-number tabular-nums">
          {total === null ? format(value) : t`${{ value: format(value) }} of ${{ total: format(total) }}`}
        </span>
      </p>
      <Progress.Root size="lg">
        <Progress.Section value={percent} animated={total === null} aria-label={label} />
      </Progress.Root>
    </div>
  )
}
