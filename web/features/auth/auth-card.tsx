import { plural } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { wholeRate } from '#contract/product.ts'
import { auth } from '#web/content/en.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { useWithdrawalRate } from '#web/features/site/site.ts'
import { IconCheck } from '#web/ui/icons.ts'

/** Renders the layout of the sign-in and sign-up screens: the form, and beside it the benefits. */
export function AuthCard({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  const { coins, dollars } = wholeRate(useWithdrawalRate())
  return (
    <div className="page grid min-h-[calc(100dvh-68px)] max-w-5xl grid-cols-[minmax(0,1fr)] content-start items-start gap-12 py-10 lg:grid-cols-[minmax(0,1fr)_20rem] lg:py-16">
      <div className="mx-auto w-full max-w-xl">
        <h1 className="text-title">{title}</h1>
        <p className="mt-1 mb-6 text-dim">{lead}</p>
        {children}
      </div>
      <aside className="hidden rounded-hero bg-linear-to-br from-[#083f2d] to-[#117f5a] p-8 text-white lg:mt-24 lg:block">
        <p className="text-sm opacity-90">{auth.rate}</p>
        <CoinAmount value={coins} className="mt-1 text-hero" />
        <p className="mt-1 text-sm opacity-90">
          = {plural(dollars, { one: '# dollar', other: '# dollars' })}
        </p>
        <ul className="mt-8 space-y-4">
          {auth.benefits.map((promise) => (
            <li key={promise} className="flex gap-3 text-sm">
              <IconCheck size={20} className="shrink-0 text-[#ffca4f]" aria-hidden />
              {promise}
            </li>
          ))}
        </ul>
      </aside>
    </div>
  )
}
