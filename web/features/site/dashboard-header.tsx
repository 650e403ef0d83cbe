import { t } from '@lingui/core/macro'
import type { User } from '#contract/users.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { useCoinRole } from '#web/features/coins/use-coin-role.ts'
import { NotificationBell } from '#web/features/notifications/notification-bell.tsx'
import { PaletteButton } from '#web/features/palette/palette-button.tsx'
import { Brand } from '#web/features/site/brand.tsx'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { ColorSchemeToggle } from '#web/ui/color-scheme-toggle.tsx'
import { IconMenu2 } from '#web/ui/icons.ts'

/**
 * Renders the dashboard's header: menu button on small screens, coin balance, notifications, user. Container queries
 * decide what has room, because their rem grows with the text size and that of media queries may not. What belongs to the user
 * is at the right, and comes when they are known, so that nothing moves.
 */
export function DashboardHeader({ user, openMenu }: { user: User | null; openMenu: () => void }) {
  return (
    <header className="@container sticky top-0 z-30 border-b border-line bg-surface">
      <div className="flex min-h-[67px] items-center gap-[8px] px-[12px] @min-[40rem]:gap-3 @min-[40rem]:px-6">
        <IconButton className="lg:hidden" data-variant="subtle" label={t`Menu`} onClick={openMenu}>
          <IconMenu2 size={22} />
        </IconButton>
        {/* At 200 % text size a phone has no room for the brand and the image; the menu shows both. */}
        <span className="@max-[18rem]:hidden">
          <Brand short />
        </span>
        {user && <HeaderOfUser user={user} />}
      </div>
    </header>
  )
}

function HeaderOfUser({ user }: { user: User }) {
  const { coin, role } = useCoinRole(user)
  return (
    <div className="flex min-w-0 flex-1 items-center justify-end gap-[8px] @max-[18rem]:flex-wrap @min-[40rem]:gap-3">
      <CoinAmount value={coin} chip />
      <span className="hidden @min-[40rem]:block">
        <ColorSchemeToggle />
      </span>
      <PaletteButton user={user} />
      <NotificationBell email={user.email} />
      <span className="contents @max-[18rem]:hidden">
        <Avatar name={user.name} image={user.image} size={42} />
      </span>
      <div className="hidden max-w-56 min-w-0 leading-tight @min-[44rem]:block">
        <p className="truncate text-sm font-number">{user.name}</p>
        <p className="truncate text-xs text-dim">{user.email}</p>
      </div>
      <span className="hidden shrink-0 rounded-full bg-soft px-2.5 py-1 text-xs font-number text-on-soft @min-[48rem]:block">
        {ROLE_NAMES[role]}
      </span>
    </div>
  )
}
