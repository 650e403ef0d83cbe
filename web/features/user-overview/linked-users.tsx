import { t } from '@lingui/core/macro'
import type { LinkKind, UserOverview } from '#contract/user-overview.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { Section } from './section.tsx'

const LINK_TEXT: Record<LinkKind, string> = {
  destination: t`Same account number`,
  holder: t`Same account holder`,
  card: t`Same card`,
  network: t`Same network`,
}

/** Renders the users who share a number, card or network with this one. */
export function LinkedUsers({ name, links }: { name: string; links: UserOverview['links'] }) {
  return (
    <Section
      title={t`Linked users`}
      empty={links.length === 0 && t`Nobody shares a number, card or network with ${name}.`}
    >
      <ul className="divide-y divide-line text-sm">
        {links.map((link) => (
          <li
            key={`${link._id} ${link.kind} ${link.value}`}
            className="flex flex-wrap justify-between gap-x-4 py-2"
          >
            <UserLink id={link._id} name={link.name} />
            <span className="text-dim wrap-anywhere">
              {LINK_TEXT[link.kind]}: {link.value}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
