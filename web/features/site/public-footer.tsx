import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import { LOCALE_NAMES } from '#contract/locales.ts'
import { publicInfo } from '#web/content/en.ts'
import { Brand } from '#web/features/site/brand.tsx'
import { LanguageLinks } from '#web/features/site/language-links.tsx'
import { LOCALE } from '#web/lib/locale.ts'

const LINK_GROUPS = [
  {
    title: t`Marketplace`,
    links: [
      { to: '/all-task', label: t`Find work` },
      { to: '/all-worker', label: t`Find talent` },
      { to: '/#packages', label: t`Coin packages` },
      { to: '/fees', label: t`Fees` },
    ],
  },
  {
    title: t`About`,
    links: [
      { to: '/#about', label: t`About us` },
      { to: '/#news', label: t`Blog and news` },
      { to: '/#contact', label: t`Contact` },
      { to: '/terms', label: t`Terms` },
      { to: '/privacy', label: t`Privacy` },
    ],
  },
  {
    title: t`Your account`,
    links: [
      { to: '/login', label: t`Login` },
      { to: '/sign-up', label: t`Register` },
      { to: '/dashboard', label: t`Dashboard` },
    ],
  },
]

const LINK_CLASS =
  'inline-flex min-h-9 items-center text-sm text-dim no-underline hover:text-brand hover:underline'

/** Renders the footer of every public page. */
export function PublicFooter() {
  return (
    <footer className="border-t border-line">
      <div className="page grid gap-10 py-12 md:grid-cols-[1.4fr_2fr]">
        <div>
          <Brand />
          <p className="mt-3 max-w-xs text-sm text-dim">{publicInfo.footer}</p>
          <p className="mt-3 flex gap-4">
            <span className="inline-flex min-h-9 items-center text-sm font-number">
              {LOCALE_NAMES[LOCALE]}
            </span>
            <LanguageLinks className={LINK_CLASS} />
          </p>
        </div>
        <nav aria-label={t`Footer`} className="grid grid-cols-2 gap-8 sm:grid-cols-3">
          {LINK_GROUPS.map((column) => (
            <div key={column.title}>
              <p className="mb-1 text-sm font-number">{column.title}</p>
              <ul>
                {column.links.map((link) => (
                  <li key={link.to}>
                    <Link to={link.to} className={LINK_CLASS}>
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
