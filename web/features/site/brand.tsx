import { Link } from 'react-router'
import { CoinIcon } from '#web/features/coins/coin-icon.tsx'
import { useSiteName } from '#web/features/site/site.ts'

/**
 * Renders the logo and name with a link to the home page. `short` hides the name on small screens. In a row that is too narrow the
 * name wraps to a second line, which is clipped.
 */
export function Brand({ short = false }: { short?: boolean }) {
  const name = useSiteName()
  return (
    <Link to="/" className="inline-flex h-11 flex-wrap items-center gap-2.5 overflow-hidden no-underline">
      <span className="flex min-h-11 items-center">
        <span className="inline-grid size-[30px] shrink-0 place-items-center rounded-[8px] bg-[#0c6a4b]">
          <CoinIcon size={18} />
        </span>
      </span>
      <span
        className={`text-xl font-heading whitespace-nowrap tracking-tight ${short ? 'sr-only sm:not-sr-only' : ''}`}
      >
        {name}
      </span>
    </Link>
  )
}
