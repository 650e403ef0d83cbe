import { NavLink } from 'react-router'

type View = { to: string; label: string }

/** Links between lists that belong together, as a row of tabs. */
export function Views({ label, views }: { label: string; views: View[] }) {
  return (
    <nav aria-label={label} className="mb-5 flex flex-wrap gap-2">
      {views.map((view) => (
        <NavLink key={view.to} to={view.to} end className={({ isActive }) => viewLook(isActive)}>
          {view.label}
        </NavLink>
      ))}
    </nav>
  )
}

/** How a choice in a row of choices looks. */
export function viewLook(active: boolean): string {
  return `inline-flex min-h-11 items-center rounded-full border px-4 text-sm font-nav no-underline transition-colors ${
    active ? 'border-transparent bg-soft text-on-soft' : 'border-line bg-surface text-dim hover:text-ink'
  }`
}
