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
      className={`flex flex-wrap items-baseline justify-between gap-x-3 ${sum ? 'mb-3 border-b border-line pb-3' : ''}`}
    >
      <dt className={`flex-1 basis-28 ${sum ? 'text-base font-number' : 'text-dim'}`}>{label}</dt>
      <dd className="ml-auto">{children}</dd>
    </div>
  )
}
