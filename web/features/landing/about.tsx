import { about } from '#web/content/en.ts'
import { Section } from '#web/features/landing/section.tsx'
import { formatNumber } from '#web/lib/format.ts'

/** Renders mission, vision and goals. */
export function About() {
  return (
    <Section id="about" title={about.title} lead={about.lead} tinted>
      <div className="grid gap-8 md:grid-cols-3 lg:gap-12">
        {about.items.map((part, index) => (
          <div key={part.title} className="border-t-2 border-fill pt-5">
            <p className="text-sm font-number text-brand tabular-nums" aria-hidden>
              {formatNumber(0)}
              {formatNumber(index + 1)}
            </p>
            <h3 className="mt-1 text-xl">{part.title}</h3>
            <p className="mt-2 text-dim">{part.text}</p>
          </div>
        ))}
      </div>
    </Section>
  )
}
