import { useEffect, useRef, useState } from 'react'
import { isDay } from '#contract/shapes.ts'
import './day-input.css'

type Props = { label: string; value: string; onChange: (day: string) => void }

/**
 * Renders a field for a day with its label before it. An empty value means no day. While a year is typed, the browser reports
 * days such as 0002-11-05: they stay in the field only. A new `value` replaces what was typed.
 */
export function DayInput({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState(value)
  const submitted = useRef(value)
  useEffect(() => {
    if (value !== submitted.current) setTyped(value)
    submitted.current = value
  }, [value])
  const change = (day: string) => {
    setTyped(day)
    if (day !== '' && !isDay(day)) return
    submitted.current = day
    onChange(day)
  }
  return (
    <label className="day-label flex items-center gap-2 text-sm">
      <span className="shrink-0 text-dim">{label}</span>
      <input
        type="date"
        className="field day-input"
        value={typed}
        onChange={(event) => change(event.currentTarget.value)}
      />
    </label>
  )
}
