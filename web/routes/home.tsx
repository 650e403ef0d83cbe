import { Suspense } from 'react'
import { contact, news, packages, publicInfo, testimonials } from '#web/content/en.ts'
import { About } from '#web/features/landing/about.tsx'
import { Hero } from '#web/features/landing/hero.tsx'
import { Section } from '#web/features/landing/section.tsx'
import { Statistics } from '#web/features/landing/statistics.tsx'
import { TalentPool } from '#web/features/landing/talent-pool.tsx'
import { WhyChoose } from '#web/features/landing/why-choose.tsx'
import { PackageGrid } from '#web/features/payments/package-grid.tsx'
import { lazyHydrate } from '#web/lib/lazy-hydration.ts'
import { pageMeta } from '#web/lib/meta.ts'

export const meta = () => pageMeta({ description: publicInfo.description })

const News = lazyHydrate('news', () => import('#web/features/landing/news.tsx'))
const Testimonials = lazyHydrate('testimonials', () => import('#web/features/landing/testimonials.tsx'))
const ContactForm = lazyHydrate('contact', () => import('#web/features/landing/contact-form.tsx'))
const ContactDetails = lazyHydrate('contact', () => import('#web/features/landing/contact-details.tsx'))

/** Renders the landing page (docs/specification/screens.md#landing-page). */
export default function Home() {
  return (
    <>
      <Hero />
      <Statistics />
      <TalentPool />
      <About />
      <WhyChoose />
      <Section id="packages" title={packages.title} lead={packages.lead} tinted>
        <PackageGrid />
      </Section>
      <Section id="news" title={news.title} lead={news.lead}>
        <Suspense fallback={<div className="h-96" />}>
          <News />
        </Suspense>
      </Section>
      <Section id="testimonials" title={testimonials.title} lead={testimonials.lead} tinted>
        <Suspense fallback={<div className="h-96" />}>
          <Testimonials />
        </Suspense>
      </Section>
      <Section id="contact" title={contact.title} lead={contact.lead}>
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-[1.25fr_1fr]">
          <Suspense fallback={<div className="card h-[30rem]" />}>
            <ContactForm />
          </Suspense>
          <Suspense fallback={<div className="card h-[30rem]" />}>
            <ContactDetails />
          </Suspense>
        </div>
      </Section>
    </>
  )
}
