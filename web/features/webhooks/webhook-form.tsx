import { t } from '@lingui/core/macro'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { API_EVENT_TYPES, type ApiEventType } from '#contract/api-events.ts'
import type { PartOf } from '#contract/endpoint.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  NewWebhookEndpoint,
  WEBHOOK_NAME_MAX,
  type WebhookEndpoint,
} from '#contract/webhooks.ts'
import { EVENT_NAMES } from '#web/features/webhooks/event-names.ts'
import { call } from '#web/lib/api.ts'
import { useFocusOnMount } from '#web/lib/focus-on-mount.ts'
import { useForm } from '#web/lib/form.ts'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'

export type CreatedWebhook = PartOf<typeof createWebhookEndpoint, 'reply'>

type Props = {
  /** The endpoint to change; without it, one is created. */
  endpoint?: WebhookEndpoint
  onCreated?: (created: CreatedWebhook) => void
  onChanged?: () => void
  onCancel: () => void
}

/** Renders the form for a new webhook endpoint, or for a change of one. */
export function WebhookForm({ endpoint, onCreated, onChanged, onCancel }: Props) {
  const form = useForm({
    schema: NewWebhookEndpoint,
    initialValues: {
      name: endpoint?.name ?? '',
      url: endpoint?.url ?? '',
      events: (endpoint?.events ?? []) as ApiEventType[],
    },
    submit: async (body) => {
      if (endpoint === undefined) onCreated?.(await call(createWebhookEndpoint, { body }))
      else {
        await call(changeWebhookEndpoint, { params: { id: endpoint._id }, body })
        onChanged?.()
      }
    },
  })
  const first = useFocusOnMount()
  const isNew = endpoint === undefined
  return (
    <form {...form.props} className="card space-y-5 p-5 sm:p-6">
      <h2 className="text-lg">{isNew ? t`Add an endpoint` : t`Change the endpoint`}</h2>
      <TextInput
        ref={first}
        label={t`Name`}
        required
        autoComplete="off"
        maxLength={WEBHOOK_NAME_MAX}
        {...form.field('name')}
      />
      <TextInput
        label={t`URL`}
        required
        type="url"
        autoComplete="off"
        description={t`Where we send events. It must be reachable from the internet over https`}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.field('url')}
      />
      <Checkbox.Group label={t`Events`} required {...form.field('events')}>
        <div className="mt-2 grid grid-cols-1 gap-3 sm:grid-cols-2">
          {API_EVENT_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={EVENT_NAMES[type]} description={type} />
          ))}
        </div>
      </Checkbox.Group>
      <FormError message={form.submitError} />
      <FormActions onCancel={onCancel}>
        <Button type="submit" loading={form.isSubmitting}>
          {isNew ? t`Add endpoint` : t`Save changes`}
        </Button>
      </FormActions>
    </form>
  )
}
