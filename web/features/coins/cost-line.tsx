/** Renders an amount with its label. `sum` is the total of the lines before. */
export function CostLine({
  label,
  sum = false,
  children,
}: {
  label: string
  sum?: boolean
  children: React.ReactNode
}) {
  return (
    <div
      className={`flex items-baseline justify-between gap-3 ${sum ? 'mb-3 border-b border-line pb-3' : ''}`}
    >
      <dt className={sum ? 'text-base font-number' : 'text-dim'}>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
