/** Renders the coin icon. Decorative: a text is beside it. */
export function CoinIcon({ size = '1.3em', className }: { size?: number | string; className?: string }) {
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
