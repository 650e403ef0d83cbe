import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { publicInfo } from '#web/content/en.ts'
import { useSignOut } from '#web/features/auth/use-sign-out.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { Brand } from '#web/features/site/brand.tsx'
import { LanguageLinks } from '#web/features/site/language-links.tsx'
import { useSession } from '#web/lib/session.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton, LinkButton, PlainButton } from '#web/ui/button.tsx'
import { ColorSchemeToggle } from '#web/ui/color-scheme-toggle.tsx'
import { IconExternalLink, IconLogout, IconMenu2, IconX } from '#web/ui/icons.ts'

const LINKS = [
  { to: '/all-task', label: t`Find work` },
  { to: '/all-worker', label: t`Find talent` },
  { to: '/#packages', label: t`Coin packages` },
  { to: '/#contact', label: t`Contact` },
]

const LINK_CLASS =
  'flex min-h-11 items-center rounded-control px-3 text-sm font-nav whitespace-nowrap text-dim no-underline hover:bg-soft hover:text-on-soft'

/** Renders the header of every public page (docs/specification/screens.md). */
export function PublicHeader() {
  const [open, setOpen] = useState(false)
  const { pathname, hash } = useLocation()
  const { user } = useSession()
  // Every navigation closes the menu; an effect would also close what was pressed before the page was hydrated.
  const place = pathname + hash
  const [shownAt, setShownAt] = useState(place)
  if (place !== shownAt) {
    setShownAt(place)
    setOpen(false)
  }

  return (
    <header className="@container sticky top-0 z-30 border-b border-line bg-body">
      <div className="page flex min-h-[68px] items-center gap-[8px] sm:flex-wrap sm:gap-3">
        <Brand short={user !== null} />
        <nav aria-label={t`Main`} className="ml-5 hidden gap-1 xl:flex">
          {LINKS.map((link) => (
            <HeaderLink key={link.to} {...link} />
          ))}
        </nav>
        <div className="ml-auto flex max-w-[calc(100%-30px-0.5rem)] shrink-0 flex-wrap items-center justify-end gap-[8px]">
          {/* On phones the languages are in the menu, so that the header has one row; at 200 % text size the color scheme too. */}
          <span className="hidden sm:block">
            <LanguageLinks className="button font-nav" />
          </span>
          <span className="@max-[18rem]:hidden">
            <ColorSchemeToggle />
          </span>
          <AccountActions />
          <IconButton
            className="xl:hidden"
            data-variant="subtle"
            label={t`Menu`}
            aria-expanded={open}
            aria-controls="main-menu"
            onClick={() => setOpen(!open)}
          >
            {open ? <IconX size={22} /> : <IconMenu2 size={22} />}
          </IconButton>
        </div>
      </div>
      {open && <MobileMenu close={() => setOpen(false)} />}
    </header>
  )
}

function HeaderLink({ to, label }: { to: string; label: string }) {
  return (
    <Link to={to} className={LINK_CLASS}>
      {label}
    </Link>
  )
}

/** Renders Login and Register, or for a signed-in user Dashboard, balance, image and Logout. */
function AccountActions() {
  const { user, userData, loading } = useSession()
  if (user === null) {
    return (
      <div className={`flex items-center gap-2 ${loading ? 'hidden-while-loading' : ''}`}>
        <span className="hidden xl:block">
          <JoinAsDeveloper />
        </span>
        <LinkButton className="hidden sm:flex" to="/login" variant="default">{t`Login`}</LinkButton>
        <LinkButton to="/sign-up">{t`Register`}</LinkButton>
      </div>
    )
  }
  return (
    <>
      <LinkButton className="hidden sm:flex" to="/dashboard" variant="light">{t`Dashboard`}</LinkButton>
      {userData && <CoinAmount value={userData.coin} chip />}
      <span className="contents @max-[18rem]:hidden">
        <Avatar name={userData?.name ?? user.name} image={userData?.image ?? null} size={40} />
      </span>
      <span className="hidden xl:block">
        <Logout />
      </span>
    </>
  )
}

function MobileMenu({ close }: { close: () => void }) {
  const { user } = useSession()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && close()
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [close])
  return (
    <nav
      id="main-menu"
      aria-label={t`Main`}
      className="page absolute inset-x-0 top-full border-b border-line bg-body pt-2 pb-4 shadow-lift xl:hidden"
    >
      {LINKS.map((link) => (
        <HeaderLink key={link.to} {...link} />
      ))}
      <div className="flex items-center justify-between sm:hidden">
        <LanguageLinks className={LINK_CLASS} />
        <span className="hidden @max-[18rem]:block">
          <ColorSchemeToggle />
        </span>
      </div>
      <div className="mt-3 flex flex-wrap gap-2 border-t border-line pt-4">
        {user ? (
          <>
            <LinkButton to="/dashboard" variant="light">{t`Dashboard`}</LinkButton>
            <Logout />
          </>
        ) : (
          <>
            <LinkButton to="/login" variant="default">{t`Login`}</LinkButton>
            <JoinAsDeveloper />
          </>
        )}
      </div>
    </nav>
  )
}

function JoinAsDeveloper() {
  return (
    <a
      className="button font-nav"
      data-variant="subtle"
      href={publicInfo.joinAsDeveloper}
      target="_blank"
      rel="noopener"
    >
      {t`Join as Developer`}
      <IconExternalLink size={16} aria-hidden />
    </a>
  )
}

function Logout() {
  const signOut = useSignOut()
  return (
    <PlainButton
      variant="default"
      icon={<IconLogout size={18} />}
      onClick={() => void signOut()}
    >{t`Logout`}</PlainButton>
  )
}
