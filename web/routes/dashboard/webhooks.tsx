import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { WEBHOOK_ENDPOINTS_MAX, webhookEndpoints } from '#contract/webhooks.ts'
import { eventName } from '#web/features/webhooks/event-names.ts'
import { type CreatedWebhook, WebhookForm } from '#web/features/webhooks/webhook-form.tsx'
import { WebhookSecret } from '#web/features/webhooks/webhook-secret.tsx'
import { WebhookState } from '#web/features/webhooks/webhook-state.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { recoverFocus } from '#web/lib/recover-focus.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconPlus } from '#web/ui/icons.ts'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Worker', 'Buyer'] }

/** Renders the user's webhook endpoints, and the form for a new one. */
export default function Webhooks() {
  const queryClient = useQueryClient()
  const { data: endpoints } = useSuspenseQuery(queryOf(webhookEndpoints, {}))
  const [isFormOpen, setIsFormOpen] = useState(false)
  const [created, setCreated] = useState<CreatedWebhook | null>(null)

  async function onCreated(endpoint: CreatedWebhook) {
    setIsFormOpen(false)
    setCreated(endpoint)
    await queryClient.invalidateQueries({ queryKey: queryKeyOf(webhookEndpoints) })
  }

  // The button that opened the form is there again after it and the secret.
  const addButton = useRef<HTMLButtonElement>(null)
  const isOpen = isFormOpen || created !== null
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) recoverFocus(addButton.current)
    wasOpen.current = isOpen
  }, [isOpen])

  const live = endpoints.filter(({ state }) => state !== 'ended').length
  const add = (
    <Button
      ref={addButton}
      leftSection={<IconPlus size={18} aria-hidden />}
      onClick={() => {
        setCreated(null)
        setIsFormOpen(true)
      }}
    >
      {t`Add endpoint`}
    </Button>
  )
  return (
    <Screen
      title={t`Webhooks`}
      subtitle={t`Send your account's events to your own systems`}
      action={!isFormOpen && endpoints.length > 0 && live < WEBHOOK_ENDPOINTS_MAX && add}
      width="narrow"
    >
      <div className="space-y-5">
        {isFormOpen && (
          <WebhookForm
            onCreated={(endpoint) => void onCreated(endpoint)}
            onCancel={() => setIsFormOpen(false)}
          />
        )}
        {created !== null && (
          <WebhookSecret
            title={t`${{ name: created.name }} is ready`}
            secret={created.secret}
            onDone={() => setCreated(null)}
          />
        )}
        {endpoints.length > 0 && (
          <ul className="card divide-y divide-line px-5 sm:px-6">
            {endpoints.map((endpoint) => (
              <li key={endpoint._id} className="py-4">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <Link
                    to={`/dashboard/webhooks/${endpoint._id}`}
                    className="link inline-flex min-h-11 items-center font-nav wrap-anywhere"
                  >
                    {endpoint.name}
                  </Link>
                  <WebhookState endpoint={endpoint} />
                </p>
                <p className="font-mono text-sm wrap-anywhere">{endpoint.url}</p>
                <p className="mt-1 text-sm wrap-anywhere text-dim">
                  {endpoint.events.map(eventName).join(', ')}
                </p>
              </li>
            ))}
          </ul>
        )}
        {endpoints.length === 0 && !isFormOpen && (
          <EmptyState title={t`No webhook endpoints yet`} action={add}>
            {t`We send an event to your endpoint whenever work arrives or is decided, a task closes or money moves.`}
          </EmptyState>
        )}
        {live >= WEBHOOK_ENDPOINTS_MAX && (
          <p className="text-sm text-dim">{t`You have ${{ count: formatNumber(WEBHOOK_ENDPOINTS_MAX) }} endpoints. Delete one to add another.`}</p>
        )}
      </div>
    </Screen>
  )
}
