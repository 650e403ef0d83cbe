import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { NavLink, useLocation } from 'react-router'
import type { User } from '#contract/users.ts'
import { useSignOut } from '#web/features/auth/use-sign-out.ts'
import { LanguageLinks } from '#web/features/site/language-links.tsx'
import {
  type SidebarGroup as Group,
  groupsOf,
  REVIEWS_LINK,
  SECONDARY_LINKS,
  SIDEBAR_LINKS,
  type SidebarLink,
} from '#web/features/site/sidebar-links.ts'
import { formatBadge } from '#web/features/waiting/use-waiting.ts'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ColorSchemeToggle } from '#web/ui/color-scheme-toggle.tsx'
import { IconChevronDown, IconChevronRight, IconHome, IconLanguage, IconLogout } from '#web/ui/icons.ts'

type Props = {
  user: User
  /** How much waits on each screen, by its path. */
  counts: ReadonlyMap<string, number>
  onNavigate?: (() => void) | undefined
}

const LINK_CLASS =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 py-1 text-left text-[0.9375rem] font-nav no-underline transition-colors'
const INACTIVE_CLASS = 'text-dim hover:bg-canvas hover:text-ink'

/** Renders the dashboard navigation of the user's role, and Logout. */
export function Sidebar({ user, counts, onNavigate }: Props) {
  const signOut = useSignOut()
  const item = (link: SidebarLink) => (
    <SidebarItem key={link.to} {...link} count={counts.get(link.to) ?? 0} onNavigate={onNavigate} />
  )
  return (
    <nav aria-label={t`Dashboard`} className="flex min-h-full grow flex-col gap-1 wrap-normal">
      {SIDEBAR_LINKS[user.role].map(item)}
      <hr className="mx-3 my-2 border-line" />
      {user.reviewer && user.role !== 'Admin' && item(REVIEWS_LINK)}
      {groupsOf(user.role).map((group) => (
        <SidebarGroup key={group.name} {...group} counts={counts} onNavigate={onNavigate} />
      ))}
      {SECONDARY_LINKS[user.role].map(item)}
      <div className="mt-auto pt-4">
        {item({ to: '/', label: t`Go to home`, icon: IconHome })}
        <LanguageLinks
          className={`${LINK_CLASS} ${INACTIVE_CLASS}`}
          icon={<IconLanguage size={20} stroke={1.8} aria-hidden />}
        />
        <button type="button" className={`${LINK_CLASS} ${INACTIVE_CLASS}`} onClick={() => void signOut()}>
          <IconLogout size={20} stroke={1.8} aria-hidden />
          {t`Logout`}
        </button>
      </div>
    </nav>
  )
}

/** Renders the user and the color scheme toggle in the drawer, because the header has no room for them on a phone or beside enlarged text. */
export function DrawerUser({ user }: { user: User }) {
  return (
    <div className="mb-4 flex items-center gap-3 border-b border-line pb-4">
      <Avatar name={user.name} image={user.image} />
      <div className="min-w-0 flex-1 leading-tight">
        <p className="truncate text-sm font-number">{user.name}</p>
        <p className="truncate text-xs text-dim">{user.email}</p>
        <p className="mt-0.5 text-xs font-number text-brand">{ROLE_NAMES[user.role]}</p>
      </div>
      <ColorSchemeToggle />
    </div>
  )
}

/** Renders links below a heading that shows and hides them. The group of the current screen opens automatically. */
function SidebarGroup({ name, links, counts, onNavigate }: Group & Omit<Props, 'user'>) {
  const { pathname } = useLocation()
  const isCurrent = links.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  const [wasCurrent, setWasCurrent] = useState(isCurrent)
  const [isOpen, setOpen] = useState(isCurrent)
  if (isCurrent !== wasCurrent) {
    setWasCurrent(isCurrent)
    if (isCurrent) setOpen(true)
  }
  const id = useId()
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  const count = links.reduce((sum, { to }) => sum + (counts.get(to) ?? 0), 0)
  return (
    <div>
      <button
        type="button"
        id={id}
        aria-expanded={isOpen}
        aria-controls={`${id}-links`}
        aria-label={!isOpen && count > 0 ? t`${name}, ${{ count: formatBadge(count) }} waiting` : undefined}
        className="flex min-h-11 w-full items-center gap-2 rounded-control px-3 text-left text-sm font-number text-dim transition-colors hover:bg-canvas hover:text-ink"
        onClick={() => setOpen(!isOpen)}
      >
        <Chevron size={16} className="shrink-0" aria-hidden />
        {name}
        {!isOpen && <Badge count={count} />}
      </button>
      <ul id={`${id}-links`} aria-labelledby={id} hidden={!isOpen}>
        {links.map((link) => (
          <li key={link.to}>
            <SidebarItem {...link} count={counts.get(link.to) ?? 0} onNavigate={onNavigate} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function SidebarItem({
  to,
  label,
  icon: Icon,
  count,
  onNavigate,
}: SidebarLink & { count: number; onNavigate?: (() => void) | undefined }) {
  return (
    <NavLink
      to={to}
      end
      onClick={onNavigate}
      aria-label={count > 0 ? t`${label}, ${{ count: formatBadge(count) }} waiting` : undefined}
      className={({ isActive }) => `${LINK_CLASS} ${isActive ? 'bg-soft text-on-soft' : INACTIVE_CLASS}`}
    >
      <Icon size={20} stroke={1.8} className="shrink-0" aria-hidden />
      {label}
      <Badge count={count} />
    </NavLink>
  )
}

function Badge({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="ml-auto rounded-full bg-fill px-2 text-xs leading-5 font-number text-white tabular-nums">
      {formatBadge(count)}
    </span>
  )
}
