import { Link } from 'react-router'
import { useSiteName } from '#web/features/site/site.ts'
import { LogoMark } from '#web/ui/coin-mark.tsx'

/** Logo and name, leading to the start page. `short` leaves the name to people who cannot see the logo. */
export function Brand({ short = false }: { short?: boolean }) {
  const name = useSiteName()
  return (
    <Link to="/" className="inline-flex min-h-11 items-center gap-2.5 no-underline">
      <LogoMark />
      <span
        className={`text-xl font-heading whitespace-nowrap tracking-tight ${short ? 'sr-only sm:not-sr-only' : ''}`}
      >
        {name}
      </span>
    </Link>
  )
}
