import { plural } from '@lingui/core/macro'
import { CoinIcon } from '#web/features/coins/coin-icon.tsx'
import { formatNumber } from '#web/lib/format.ts'

type Props = {
  value: number
  /** Renders a gold chip instead of plain text. */
  chip?: boolean
  /** Shows "coins" after the number, not only to screen readers. */
  showUnit?: boolean
  /** Shows + or − before the amount: a change, not a balance. */
  signed?: boolean
  className?: string
}

/** Renders an amount of coins with the coin icon. Screen readers read "500 coins". */
export function CoinAmount({ value, chip = false, showUnit = false, signed = false, className = '' }: Props) {
  const sign = value < 0 ? '−' : signed ? '+' : ''
  const chipClass = chip ? 'rounded-full bg-gold px-[0.7em] py-[0.25em] text-on-gold' : ''
  return (
    <span
      className={`inline-flex items-baseline gap-[0.4em] whitespace-nowrap font-number tabular-nums ${chipClass} ${className}`}
    >
      <CoinIcon className="shrink-0 self-center" size="1.1em" />
      <span>
        {sign}
        {formatNumber(Math.abs(value))}
        <span className={showUnit ? '' : 'sr-only'}>
          {' '}
          {plural(Math.abs(value), { one: 'coin', other: 'coins' })}
        </span>
      </span>
    </span>
  )
}
