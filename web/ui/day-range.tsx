import { t } from '@lingui/core/macro'
import { DayInput } from './day-input.tsx'

type Props = {
  from: string | undefined
  to: string | undefined
  set: (name: 'from' | 'to') => (day: string) => void
}

/** Renders the fields for the first and the last day of a filter, `from` and `to`, which the server reads as days in UTC. */
export function DayRange({ from = '', to = '', set }: Props) {
  return (
    <div className="day-range" data-fixed>
      <DayInput label={t({ message: 'From', context: 'day' })} value={from} onChange={set('from')} />
      <DayInput label={t({ message: 'To', context: 'day' })} value={to} onChange={set('to')} />
      <span className="self-center text-xs whitespace-nowrap text-dim">{t`Days in UTC`}</span>
    </div>
  )
}
