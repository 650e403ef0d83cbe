import { ActionIcon } from '@mantine/core'
import type { User } from '#contract/users.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { NotificationBell } from '#web/features/notifications/notification-bell.tsx'
import { Brand } from '#web/features/site/brand.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { ColorSchemeToggle } from '#web/ui/color-scheme-toggle.tsx'
import { IconMenu2 } from '#web/ui/icons.ts'

/** Renders the dashboard's header: menu button on small screens, coin balance, notifications, user. */
export function DashboardHeader({ user, openMenu }: { user: User; openMenu: () => void }) {
  return (
    <header className="sticky top-0 z-30 flex h-[68px] items-center gap-2 border-b border-line bg-surface px-3 max-[18rem]:gap-0 max-[18rem]:px-1 sm:gap-3 sm:px-6">
      <ActionIcon
        className="lg:hidden"
        variant="transparent"
        color="gray"
        aria-label="Menu"
        onClick={openMenu}
      >
        <IconMenu2 size={22} />
      </ActionIcon>
      {/* At 200 % text size a phone has no room for the brand and the image; the menu shows both. */}
      <span className="max-[18rem]:hidden">
        <Brand short />
      </span>
      <div className="ml-auto flex items-center gap-2 sm:gap-3">
        <CoinAmount value={user.coin} chip />
        <span className="hidden sm:block">
          <ColorSchemeToggle />
        </span>
        <NotificationBell email={user.email} />
        <span className="contents max-[18rem]:hidden">
          <Avatar name={user.name} image={user.image} size={42} />
        </span>
        <div className="hidden max-w-56 leading-tight md:block">
          <p className="truncate text-sm font-number">{user.name}</p>
          <p className="truncate text-xs text-dim">{user.email}</p>
        </div>
        <span className="hidden rounded-full bg-soft px-2.5 py-1 text-xs font-number text-on-soft md:block">
          {user.role}
        </span>
      </div>
    </header>
  )
}
