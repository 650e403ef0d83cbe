import { t } from '@lingui/core/macro'
import { useReducedMotion } from '@mantine/hooks'
import Autoplay from 'embla-carousel-autoplay'
import useEmblaCarousel from 'embla-carousel-react'
import { useEffect, useMemo, useState } from 'react'
import { TESTIMONIAL_MS } from '#contract/product.ts'
import { testimonials } from '#web/content/en.ts'
import { formatNumber } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/button.tsx'
import { IconPlayerPause, IconPlayerPlay } from '#web/ui/icons.ts'

/** Renders the testimonials as a looping carousel. It pauses on hover and focus, and for users who prefer reduced motion. */
export default function Testimonials() {
  const reducedMotion = useReducedMotion()
  const [paused, setPaused] = useState(false)
  const playing = !paused && !reducedMotion
  const plugins = useMemo(
    () =>
      playing
        ? [
            Autoplay({
              delay: TESTIMONIAL_MS,
              stopOnInteraction: false,
              stopOnMouseEnter: true,
              stopOnFocusIn: true,
            }),
          ]
        : [],
    [playing],
  )
  const [viewport, carousel] = useEmblaCarousel({ loop: true, duration: reducedMotion ? 0 : 22 }, plugins)
  const [activeIndex, setActiveIndex] = useState(0)
  useEffect(() => {
    if (!carousel) return
    const update = () => setActiveIndex(carousel.selectedScrollSnap())
    carousel.on('select', update).on('reInit', update)
    return () => {
      carousel.off('select', update).off('reInit', update)
    }
  }, [carousel])

  return (
    <section aria-roledescription="carousel" aria-label={testimonials.lead} className="mx-auto max-w-3xl">
      <div ref={viewport} className="overflow-hidden rounded-card">
        <div className="-ml-[30px] flex touch-pan-y" aria-live={playing ? 'off' : 'polite'}>
          {testimonials.items.map((testimonial, index) => (
            <figure
              key={testimonial.id}
              aria-roledescription="slide"
              aria-label={t`${{ position: formatNumber(index + 1) }} of ${{ count: formatNumber(testimonials.items.length) }}`}
              className="min-w-0 flex-[0_0_100%] pl-[30px]"
            >
              <div className="card flex h-full flex-col p-6 sm:p-9">
                <QuoteIcon />
                <blockquote className="mt-4 flex-1 text-lg sm:text-xl sm:leading-relaxed">
                  {testimonial.review}
                </blockquote>
                <figcaption className="mt-6 flex flex-wrap items-center gap-3.5">
                  <img
                    src={testimonial.image}
                    alt=""
                    width="52"
                    height="52"
                    loading="lazy"
                    className="size-13 rounded-full"
                  />
                  <span className="leading-snug">
                    <span className="block font-number">{testimonial.name}</span>
                    <span className="block text-sm text-dim">{testimonial.role}</span>
                  </span>
                </figcaption>
              </div>
            </figure>
          ))}
        </div>
      </div>
      <div className="mt-5 flex items-center justify-center gap-1">
        {testimonials.items.map((testimonial, index) => (
          <button
            key={testimonial.id}
            type="button"
            aria-label={t`Show testimonial by ${testimonial.name}`}
            aria-current={index === activeIndex}
            onClick={() => carousel?.scrollTo(index)}
            className="group grid size-11 place-items-center rounded-full"
          >
            <span className="h-2.5 w-2.5 rounded-full bg-edge transition-[width,background-color] group-aria-[current=true]:w-6 group-aria-[current=true]:bg-fill" />
          </button>
        ))}
        {!reducedMotion && (
          <IconButton
            className="ml-3 rounded-full"
            label={paused ? t`Play testimonials` : t`Pause testimonials`}
            onClick={() => setPaused(!paused)}
          >
            {playing ? <IconPlayerPause size={18} /> : <IconPlayerPlay size={18} />}
          </IconButton>
        )}
      </div>
    </section>
  )
}

function QuoteIcon() {
  return (
    <svg
      viewBox="0 0 32 24"
      width="32"
      height="24"
      className="text-brand"
      fill="currentColor"
      aria-hidden="true"
    >
      <path d="M0 24V13C0 5 4 1 12 0v5c-4 1-6 3-6 7h6v12zm18 0V13c0-8 4-12 12-13v5c-4 1-6 3-6 7h6v12z" />
    </svg>
  )
}
