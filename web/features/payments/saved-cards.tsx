import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { removeSavedCard, type SavedCard, savedCards } from '#contract/saved-cards.ts'
import { cardLabel } from '#web/features/payments/payment-status.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { confirm, showError } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

/** Renders the user's saved cards, each with a button that removes it; nothing without one. */
export function SavedCards() {
  const cards = useSuspenseQuery(queryOf(savedCards, {})).data
  const section = useFocusRecovery<HTMLElement>(cards.length)
  if (cards.length === 0) return null
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="saved-cards"
      className="card p-4 outline-none sm:p-5"
    >
      <h2 id="saved-cards" className="text-lg">
        {t`Saved cards`}
      </h2>
      <p className="text-sm text-dim">
        {t`Stored by our card processor. You can pay with them at your next purchase.`}
      </p>
      <ul className="mt-2 divide-y divide-line">
        {cards.map((card) => (
          <CardRow key={card._id} card={card} />
        ))}
      </ul>
    </section>
  )
}

function CardRow({ card }: { card: SavedCard }) {
  const queryClient = useQueryClient()
  const label = cardLabel({ card })
  const removal = useMutation({
    mutationFn: () => call(removeSavedCard, { params: { id: card._id } }),
    onSuccess: () => toast({ message: t`${label} removed.` }),
    onError: (error) => showError(t`Error`, t`The card could not be removed.`, errorMessage(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeyOf(savedCards) }),
  })
  const remove = async () => {
    const confirmed = await confirm({
      title: t`Remove ${label}?`,
      text: t`You will have to enter its details again to pay with it.`,
      confirmLabel: t`Remove card`,
      danger: true,
    })
    if (confirmed) removal.mutate()
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div>
        <p className="font-nav">{label}</p>
        <p className="text-sm text-dim">{expiryLabel(card)}</p>
      </div>
      <Button variant="default" loading={removal.isPending} onClick={() => void remove()}>
        <Trans>
          Remove<span className="sr-only"> {label}</span>
        </Trans>
      </Button>
    </li>
  )
}

/** Returns the expiry of a card: "Expires 04/2031". */
export function expiryLabel({ expMonth, expYear }: SavedCard): string {
  return t`Expires ${{ month: `${String(expMonth).padStart(2, '0')}/${expYear}` }}`
}
