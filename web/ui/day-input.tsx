import './day-input.css'

type Props = { label: string; value: string; onChange: (day: string) => void }

/** Renders a field for a day with its label before it. An empty value means no day. */
export function DayInput({ label, value, onChange }: Props) {
  return (
    <label className="day-label flex items-center gap-2 text-sm">
      <span className="shrink-0 text-dim">{label}</span>
      <input
        type="date"
        className="field day-input"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}
