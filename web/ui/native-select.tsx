type Props = {
  label: string
  data: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
  className?: string
}

/** Renders a native select with CSS only (see web/ui/button.tsx). `label` is its accessible name. */
export function NativeSelect({ label, data, value, onChange, className = '' }: Props) {
  return (
    <span className={`relative block ${className}`}>
      <select
        aria-label={label}
        className="field pr-10"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {data.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <svg
        viewBox="0 0 16 16"
        width="16"
        height="16"
        className="pointer-events-none absolute inset-y-0 right-3 my-auto text-dim"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d="m5 6 3-3 3 3M5 10l3 3 3-3" />
      </svg>
    </span>
  )
}
