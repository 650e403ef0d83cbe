/** The coin: a check mark in gold, because work done is a coin. Decoration; the words stand beside it. */
export function CoinMark({ size = '1.3em', className }: { size?: number | string; className?: string }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} className={className} aria-hidden="true">
      <circle cx="12" cy="12" r="12" fill="#f5a300" />
      <circle cx="12" cy="12" r="9.5" fill="#ffca4f" />
      <path
        d="m7.6 12.4 3 3 5.8-6.2"
        fill="none"
        stroke="#784900"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** The coin on its green ground: logo and favicon. */
export function LogoMark({ size = 30 }: { size?: number }) {
  return (
    <span
      className="inline-grid shrink-0 place-items-center rounded-[8px] bg-[#0c6a4b]"
      style={{ width: size, height: size }}
    >
      <CoinMark size={size * 0.6} />
    </span>
  )
}
