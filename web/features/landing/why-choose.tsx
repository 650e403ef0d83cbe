import { whyChoose } from '#web/content/en.ts'
import { Section } from '#web/features/landing/section.tsx'
import { IconBolt, IconRosette, IconShieldCheck } from '#web/ui/icons.ts'

const ICONS = [IconShieldCheck, IconBolt, IconRosette]

/** Renders the three benefits, in columns from medium screens on. */
export function WhyChoose() {
  return (
    <Section id="why" title={whyChoose.title} lead={whyChoose.lead}>
      <div className="grid gap-4 md:grid-cols-3">
        {whyChoose.benefits.map((benefit, index) => {
          const Icon = ICONS[index] ?? IconShieldCheck
          return (
            <div key={benefit.title} className="card p-6 lg:p-7">
              <span className="grid size-11 place-items-center rounded-control bg-soft text-on-soft">
                <Icon size={22} aria-hidden />
              </span>
              <h3 className="mt-5 text-lg">{benefit.title}</h3>
              <p className="mt-2 text-dim">{benefit.text}</p>
            </div>
          )
        })}
      </div>
    </Section>
  )
}
