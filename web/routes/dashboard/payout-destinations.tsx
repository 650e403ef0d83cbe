import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  DESTINATIONS_MAX,
  type Destination,
  listDestinations,
  removeDestination,
} from '#contract/destinations.ts'
import { withdrawable } from '#contract/withdrawals.ts'
import { DestinationForm } from '#web/features/destinations/destination-form.tsx'
import { DestinationList } from '#web/features/destinations/destination-list.tsx'
import { destinationName, isUsable } from '#web/features/destinations/destination-name.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { invalidateEndpoints, queryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconPlus } from '#web/ui/icons.ts'
import { Screen } from '#web/ui/screen.tsx'
import { toast } from '#web/ui/toasts.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Worker'] }

/** Renders the accounts that the user is paid out to. */
export default function PayoutDestinations() {
  const queryClient = useQueryClient()
  const { data: destinations } = useSuspenseQuery(queryOf(listDestinations, {}))
  const [form, setForm] = useState<'add' | Destination | null>(null)

  // The form and the button that was pressed are removed when something is saved, removed or cancelled.
  const addButton = useFocusRecovery<HTMLButtonElement>(`${form === null} ${destinations.length}`)

  const refresh = () => invalidateEndpoints(queryClient, [listDestinations, withdrawable])

  async function onSaved(saved: Destination) {
    setForm(null)
    const name = destinationName(saved)
    const message = isUsable(saved)
      ? t`${name}.`
      : t`${name}. You can withdraw to it from ${{ time: formatDateTime(saved.usableAt) }}.`
    void toast({ title: t`Destination saved`, message })
    await refresh()
  }

  async function remove(destination: Destination) {
    const confirmed = await confirm({
      title: t`Remove ${{ name: destinationName(destination) }}?`,
      text: t`Withdrawals that you have already requested are still paid to it.`,
      confirmLabel: t`Remove`,
      danger: true,
    })
    if (!confirmed) return
    try {
      await call(removeDestination, { params: { id: destination._id } })
    } catch (error) {
      await showMessage({ title: t`Could not remove this`, text: errorMessage(error), tone: 'error' })
    }
    await refresh()
  }

  const add = (
    <Button ref={addButton} leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setForm('add')}>
      {t`Add destination`}
    </Button>
  )
  const canAdd = form === null && destinations.length > 0 && destinations.length < DESTINATIONS_MAX
  return (
    <Screen
      title={t`Payout Destinations`}
      subtitle={t`The accounts that your withdrawals are paid to`}
      action={canAdd && add}
      width="narrow"
    >
      <div className="space-y-5">
        {form !== null && (
          <DestinationForm
            key={form === 'add' ? 'add' : form._id}
            changed={form === 'add' ? undefined : form}
            onSaved={(saved) => void onSaved(saved)}
            onCancel={() => setForm(null)}
          />
        )}
        {destinations.length > 0 && (
          <DestinationList
            destinations={destinations}
            onChange={setForm}
            onRemove={(destination) => void remove(destination)}
          />
        )}
        {destinations.length === 0 && form === null && (
          <EmptyState title={t`No destinations yet`} action={add}>
            {t`Save an account once, then choose it whenever you withdraw.`}
          </EmptyState>
        )}
        {destinations.length === DESTINATIONS_MAX && (
          <p className="text-sm text-dim">
            {t`You have ${{ count: formatNumber(DESTINATIONS_MAX) }} destinations. Remove one to add another.`}
          </p>
        )}
        <p className="text-sm text-dim">
          {t`A destination is verified by its first payout. A changed destination is verified again.`}
        </p>
      </div>
    </Screen>
  )
}
