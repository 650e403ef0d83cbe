import { Link, NavLink, useSearchParams } from 'react-router'

type FilterProps = {
  label: string
  /** The name of the filter in the address; its first choice is the empty one. */
  name: string
  choices: readonly { value: string; label: string }[]
}

/** A row of choices of which one is taken; it stands in the address, and starts the list from its first page. */
export function FilterLinks({ label, name, choices }: FilterProps) {
  const [search] = useSearchParams()
  const now = search.get(name) ?? ''
  const taken = choices.some((choice) => choice.value === now) ? now : ''
  const to = (value: string) => {
    const params = new URLSearchParams(search)
    params.delete('page')
    if (value === '') params.delete(name)
    else params.set(name, value)
    return `?${params}`
  }
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1.5 sm:gap-2">
      {choices.map(({ value, label }) => (
        <Link
          key={value}
          to={to(value)}
          aria-current={value === taken ? 'page' : undefined}
          className={look(value === taken)}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Links between screens that belong together. */
export function ScreenLinks({ label, screens }: { label: string; screens: { to: string; label: string }[] }) {
  return (
    <nav aria-label={label} className="mb-5 flex flex-wrap gap-1.5 sm:gap-2">
      {screens.map((screen) => (
        <NavLink key={screen.to} to={screen.to} end className={({ isActive }) => look(isActive)}>
          {screen.label}
        </NavLink>
      ))}
    </nav>
  )
}

function look(taken: boolean): string {
  return `inline-flex min-h-11 items-center rounded-full border px-3.5 text-sm font-nav no-underline transition-colors ${
    taken ? 'border-transparent bg-soft text-on-soft' : 'border-line bg-surface text-dim hover:text-ink'
  }`
}
