import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import {
  deleteWebhookEndpoint,
  replayWebhookDelivery,
  rotateWebhookSecret,
  setWebhookPaused,
  testWebhookEndpoint,
  type WebhookEndpoint,
  webhookDeliveries,
  webhookEndpoint,
  webhookEndpoints,
} from '#contract/webhooks.ts'
import { DeliveryLog, REFRESH_MS } from '#web/features/webhooks/delivery-log.tsx'
import { eventName } from '#web/features/webhooks/event-names.ts'
import { WebhookForm } from '#web/features/webhooks/webhook-form.tsx'
import { WebhookSecret } from '#web/features/webhooks/webhook-secret.tsx'
import { WebhookState } from '#web/features/webhooks/webhook-state.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { invalidateEndpoints, queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { showFailure } from '#web/ui/show-failure.ts'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Worker', 'Buyer'] }

/** Renders one webhook endpoint: its state, what can be done with it, and the log of its deliveries. */
export default function Webhook() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const isShown = useIsShown()
  const queryClient = useQueryClient()
  const { data: endpoint } = useSuspenseQuery({
    ...queryOf(webhookEndpoint, { params: { id } }),
    refetchInterval: REFRESH_MS,
  })
  const [isFormOpen, setIsFormOpen] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const { state, waiting } = endpoint
  const params = { id }

  // The button that was pressed is removed with what it belonged to.
  const section = useFocusRecovery<HTMLElement>(`${state} ${isFormOpen} ${secret === null}`)

  async function refresh() {
    await invalidateEndpoints(queryClient, [webhookEndpoint, webhookEndpoints, webhookDeliveries])
  }

  /** Does something and shows why it failed. */
  async function run(failure: string, action: () => Promise<unknown>) {
    await showFailure(failure, action())
    await refresh()
  }

  const setPaused = (paused: boolean) =>
    run(paused ? t`Could not pause the endpoint` : t`Could not resume the endpoint`, () =>
      call(setWebhookPaused, { params, body: { paused } }),
    )
  const test = () => run(t`Could not send a test event`, () => call(testWebhookEndpoint, { params }))

  async function rotate() {
    const confirmed = await confirm({
      title: t`Replace the secret?`,
      text: t`You get a new secret. For 24 hours we sign with both, so that your system can switch.`,
      confirmLabel: t`Replace secret`,
    })
    if (!confirmed) return
    await run(t`Could not replace the secret`, async () =>
      setSecret((await call(rotateWebhookSecret, { params })).secret),
    )
  }

  async function remove() {
    const confirmed = await confirm({
      title: t`Delete ${{ name: endpoint.name }}?`,
      text: t`No more events are sent to it, and the log of its deliveries is deleted.`,
      confirmLabel: t`Delete`,
      danger: true,
    })
    if (!confirmed) return
    try {
      await call(deleteWebhookEndpoint, { params })
    } catch (error) {
      await showMessage({ title: t`Could not delete the endpoint`, text: errorMessage(error), tone: 'error' })
      return
    }
    await queryClient.invalidateQueries({ queryKey: queryKeyOf(webhookEndpoints) })
    if (isShown()) await navigate('/dashboard/webhooks')
  }

  return (
    <Screen title={endpoint.name} subtitle={t`Webhook endpoint`} width="narrow">
      <div className="space-y-5">
        {isFormOpen ? (
          <WebhookForm
            endpoint={endpoint}
            onChanged={() => {
              setIsFormOpen(false)
              void refresh()
            }}
            onCancel={() => setIsFormOpen(false)}
          />
        ) : (
          <section
            ref={section}
            tabIndex={-1}
            className="card space-y-3 p-5 outline-none sm:p-6"
            aria-label={t`Endpoint`}
          >
            <WebhookState endpoint={endpoint} />
            <p className="font-mono text-sm wrap-anywhere">{endpoint.url}</p>
            <p className="text-sm wrap-anywhere text-dim">{endpoint.events.map(eventName).join(', ')}</p>
            <Explanation endpoint={endpoint} />
            <div className="flex flex-wrap gap-3">
              {state === 'active' && <Button onClick={() => void test()}>{t`Send test event`}</Button>}
              {state === 'active' && (
                <Button variant="default" onClick={() => void setPaused(true)}>{t`Pause`}</Button>
              )}
              {state === 'paused' && (
                <Button onClick={() => void setPaused(false)}>
                  {waiting > 0 ? t`Resume and send ${{ count: formatNumber(waiting) }}` : t`Resume`}
                </Button>
              )}
              {state !== 'ended' && (
                <>
                  <Button variant="default" onClick={() => setIsFormOpen(true)}>{t`Change`}</Button>
                  <Button variant="default" onClick={() => void rotate()}>{t`Replace secret`}</Button>
                </>
              )}
              <Button variant="default" c="red" onClick={() => void remove()}>{t`Delete`}</Button>
            </div>
          </section>
        )}
        {secret !== null && (
          <WebhookSecret
            title={t`The new secret`}
            note={t`The previous secret works for another 24 hours.`}
            secret={secret}
            onDone={() => setSecret(null)}
          />
        )}
        <h2 className="text-lg">{t`Deliveries`}</h2>
        <DeliveryLog
          endpointId={id}
          canReplay={state === 'active'}
          onReplay={(delivery) =>
            void run(t`Could not replay the event`, () =>
              call(replayWebhookDelivery, { params: { id: delivery._id } }),
            )
          }
        />
      </div>
    </Screen>
  )
}

const PAUSED_TEXTS: Record<NonNullable<WebhookEndpoint['pausedBecause']>, string> = {
  user: t`Events wait for up to 30 days until you resume it.`,
  failures: t`It failed for three days. Events wait for up to 30 days until you resume it.`,
  password_reset: t`It was paused because your password was reset. Check its URL before you resume it. Events wait for up to 30 days until then.`,
  role: t`It was paused because you became an Admin. Events wait for up to 30 days until you resume it.`,
}

function Explanation({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { state, pausedBecause, failingSince, previousSecretUntil } = endpoint
  return (
    <>
      {state === 'ended' && (
        <p className="text-sm">{t`It responded with 410 Gone, so no more events are sent to it.`}</p>
      )}
      {state === 'paused' && pausedBecause !== null && (
        <p className="text-sm">{PAUSED_TEXTS[pausedBecause]}</p>
      )}
      {state === 'active' && failingSince !== null && (
        <p className="text-sm">{t`Every delivery has failed since ${{ time: formatDateTime(failingSince) }}. After three days the endpoint is paused.`}</p>
      )}
      {previousSecretUntil !== null && (
        <p className="text-sm text-dim">{t`We sign with the previous secret too until ${{ time: formatDateTime(previousSecretUntil) }}.`}</p>
      )}
    </>
  )
}
