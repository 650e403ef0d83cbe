import { hero } from '#web/content/en.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { CoinIcon } from '#web/features/coins/coin-icon.tsx'
import { useWithdrawalRate } from '#web/features/site/site.ts'
import { formatCoinValue, formatRate } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { IconCheck } from '#web/ui/icons.ts'

/** Renders the hero: claim, the two main links and an example card in HTML, because an image would delay the LCP. */
export function Hero() {
  const rate = useWithdrawalRate()
  return (
    <section className="hero-background overflow-hidden">
      <div className="page grid grid-cols-[minmax(0,1fr)] items-center gap-14 py-14 lg:grid-cols-[minmax(0,1.05fr)_minmax(0,1fr)] lg:py-24">
        <div>
          <p className="inline-flex items-center gap-2 rounded-full border border-line bg-surface px-3.5 py-1.5 text-sm font-nav">
            <CoinIcon size={20} />
            {formatRate(rate)} {hero.rate}
          </p>
          <h1 className="mt-6 text-hero">
            {hero.title[0]}
            <span className="text-brand">{hero.title[1]}</span>
          </h1>
          <p className="mt-5 max-w-xl text-lg text-dim">{hero.lead}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <LinkButton to="/all-task" size="lg">
              {hero.findWork}
            </LinkButton>
            <LinkButton to="/all-worker" size="lg" variant="default">
              {hero.findTalent}
            </LinkButton>
          </div>
          <p className="mt-8 flex items-center gap-3 text-dim">
            <span className="flex -space-x-2.5">
              {hero.avatarNames.map((name) => (
                <span key={name} className="rounded-full border-[3px] border-canvas">
                  <Avatar name={name} size={32} />
                </span>
              ))}
            </span>
            {hero.people}
          </p>
        </div>
        <ProductCard />
      </div>
    </section>
  )
}

function ProductCard() {
  const { card } = hero
  const rate = useWithdrawalRate()
  return (
    <div className="relative mx-auto w-full max-w-lg pb-12">
      <div className="rounded-hero border border-line bg-surface p-6 shadow-hero">
        <div className="flex flex-wrap items-center gap-3.5">
          <Avatar name={card.name} size={44} />
          <div className="grow leading-tight">
            <p className="font-number">{card.name}</p>
            <p className="mt-0.5 text-sm text-dim">{card.role}</p>
          </div>
          <p className="inline-flex items-center gap-1 rounded-full bg-soft px-3 py-1 text-sm font-number text-on-soft">
            <IconCheck size={16} stroke={2.5} aria-hidden />
            {card.verified}
          </p>
        </div>
        <div className="mt-5 flex flex-wrap items-end justify-between gap-3 rounded-card bg-linear-to-r from-[#083f2d] to-[#117f5a] p-5 text-white">
          <div>
            <p className="text-sm opacity-90">{card.balanceLabel}</p>
            <CoinAmount value={card.balance} className="mt-1 flex-wrap text-[min(2.125rem,15vw)]/tight" />
          </div>
          <p>≈ {formatCoinValue(card.balance, rate)}</p>
        </div>
        <ul className="mt-3 divide-y divide-line pb-3">
          {card.earned.map((earned) => (
            <li key={earned.title} className="flex flex-wrap items-center justify-between gap-3 py-3.5">
              <div className="leading-snug">
                <p className="text-sm font-number">{earned.title}</p>
                <p className="mt-0.5 text-xs text-dim">{earned.state}</p>
              </div>
              <CoinAmount value={earned.coins} signed chip className="text-sm" />
            </li>
          ))}
        </ul>
      </div>
      <div className="absolute bottom-0 -left-2 flex items-center gap-3.5 rounded-card border border-line bg-surface py-3.5 pr-6 pl-4 shadow-lift sm:-left-8">
        <span className="grid size-10 place-items-center rounded-full bg-soft text-on-soft">
          <IconCheck size={20} stroke={2.2} aria-hidden />
        </span>
        <div className="leading-snug">
          <p className="text-sm font-number">{card.paid.title}</p>
          <p className="text-sm text-dim">{card.paid.text}</p>
        </div>
      </div>
    </div>
  )
}
