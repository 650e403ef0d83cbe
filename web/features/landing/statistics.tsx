import { t } from '@lingui/core/macro'
import { statistics } from '#web/content/en.ts'

/** Renders the three totals of the landing page. */
export function Statistics() {
  return (
    <section aria-label={t`Statistics`} className="page">
      <dl className="grid grid-cols-3 divide-x divide-line border-b border-line py-6 text-center lg:py-8">
        {statistics.map(({ value, label }) => (
          <div key={label} className="flex flex-col px-1">
            <dt className="order-last text-xs text-dim sm:text-sm">{label}</dt>
            <dd className="text-lg font-heading tracking-tight tabular-nums sm:text-title lg:text-section">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
