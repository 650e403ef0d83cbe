import { t } from '@lingui/core/macro'
import type { ItemPreview } from '#contract/projects.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { UserText } from '#web/ui/user-text.tsx'
import { ItemPictures } from './item-pictures.tsx'

type Props = { item: Pick<ItemPreview, 'title' | 'instructions' | 'pictures' | 'examples' | 'reward'> }

/** Renders what a worker reads of an item: instructions, pictures and examples. */
export function ItemView({ item }: Props) {
  const { title, instructions, pictures, examples, reward } = item
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 text-lg wrap-anywhere">{title}</h3>
        <CoinAmount value={reward} chip showUnit />
      </div>
      <UserText>{instructions}</UserText>
      <ItemPictures pictures={pictures} />
      {examples.length > 0 && (
        <ul aria-label={t`Examples`} className="space-y-3">
          {examples.map(({ text, good }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: examples of one version never move
            <li key={index} className="rounded-control bg-canvas px-4 py-3 text-sm">
              <StatusBadge tone={good ? 'success' : 'error'}>
                {good ? t`Good work` : t`Would be rejected`}
              </StatusBadge>
              <UserText className="mt-2">{text}</UserText>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
