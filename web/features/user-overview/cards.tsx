import { plural, t } from '@lingui/core/macro'
import { cardBrandName } from '#contract/card-brands.ts'
import type { UserOverview } from '#contract/user-overview.ts'
import { formatCents } from '#web/lib/format.ts'
import { SearchLink } from './search-link.tsx'
import { Section } from './section.tsx'

/** Renders the cards with which a user paid. */
export function Cards({ cards }: { cards: UserOverview['cards'] }) {
  return (
    <Section title={t`Cards`} empty={cards.length === 0 && t`No card payments.`}>
      <ul className="divide-y divide-line text-sm">
        {cards.map((card) => (
          <li key={card.fingerprint} className="flex flex-wrap justify-between gap-2 py-2">
            <SearchLink value={card.fingerprint} label={`${cardBrandName(card.brand)} ${card.last4}`} />
            <span className="text-dim">
              {plural(card.payments, { one: '# payment', other: '# payments' })}, {formatCents(card.cents)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
