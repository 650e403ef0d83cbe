import { Link } from 'react-router'
import { siteInfo } from '#web/content/en.ts'
import { Brand } from '#web/features/site/brand.tsx'

const LINK_GROUPS = [
  {
    title: 'Marketplace',
    links: [
      { to: '/all-task', label: 'Find work' },
      { to: '/all-worker', label: 'Find talent' },
      { to: '/#packages', label: 'Coin packages' },
      { to: '/fees', label: 'Fees' },
    ],
  },
  {
    title: 'About',
    links: [
      { to: '/#about', label: 'About us' },
      { to: '/#news', label: 'Blog and news' },
      { to: '/#contact', label: 'Contact' },
      { to: '/terms', label: 'Terms' },
      { to: '/privacy', label: 'Privacy' },
    ],
  },
  {
    title: 'Your account',
    links: [
      { to: '/login', label: 'Login' },
      { to: '/sign-up', label: 'Register' },
      { to: '/dashboard', label: 'Dashboard' },
    ],
  },
]

/** Renders the footer of every public page. */
export function PublicFooter() {
  return (
    <footer className="border-t border-line">
      <div className="page grid gap-10 py-12 md:grid-cols-[1.4fr_2fr]">
        <div>
          <Brand />
          <p className="mt-3 max-w-xs text-sm text-dim">{siteInfo.footer}</p>
        </div>
        <nav aria-label="Footer" className="grid grid-cols-2 gap-8 sm:grid-cols-3">
          {LINK_GROUPS.map((column) => (
            <div key={column.title}>
              <p className="mb-1 text-sm font-number">{column.title}</p>
              <ul>
                {column.links.map((link) => (
                  <li key={link.to}>
                    <Link
                      to={link.to}
                      className="inline-flex min-h-9 items-center text-sm text-dim no-underline hover:text-brand hover:underline"
                    >
                      {link.label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
    </footer>
  )
}
