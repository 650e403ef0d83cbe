import type { UserOverview } from '#contract/user-overview.ts'
import { formatCents, pluralize } from '#web/lib/format.ts'
import { SearchLink } from './search-link.tsx'
import { Section } from './section.tsx'

/** Renders the cards with which a user paid. */
export function Cards({ cards }: { cards: UserOverview['cards'] }) {
  return (
    <Section title="Cards" empty={cards.length === 0 && 'No card payments.'}>
      <ul className="divide-y divide-line text-sm">
        {cards.map((card) => (
          <li key={card.fingerprint} className="flex flex-wrap justify-between gap-2 py-2">
            <SearchLink value={card.fingerprint} label={`${card.brand} ${card.last4}`} />
            <span className="text-dim">
              {pluralize(card.payments, 'payment')}, {formatCents(card.cents)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
