import { plural, t } from '@lingui/core/macro'
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import * as z from 'zod/mini'
import { API_KEY_NAME_MAX, API_KEY_NETWORKS_MAX, createApiKey, NewApiKey } from '#contract/api-keys.ts'
import type { PartOf } from '#contract/endpoint.ts'
import { API_SCOPES, type ApiScope } from '#contract/endpoint.ts'
import { SCOPE_NAMES } from '#web/features/api-keys/scope-names.ts'
import { call } from '#web/lib/api.ts'
import { useFocusOnMount } from '#web/lib/focus-on-mount.ts'
import { useForm } from '#web/lib/form.ts'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'

const NETWORKS_HINT = t`One IP address or network per line, such as 203.0.113.0/24. Leave empty to allow any network`
const DAYS = ['30', '90', '180', '366']

const { name, scopes } = NewApiKey.shape
const Form = z
  .object({ name, scopes, networks: z.string(), expiresInDays: z.string() })
  .check(({ value, issues }) => {
    const parsed = NewApiKey.shape.networks.safeParse(linesOf(value.networks))
    const message = parsed.error?.issues[0]?.message
    if (message !== undefined) issues.push({ code: 'custom', input: value, path: ['networks'], message })
  })

const linesOf = (text: string) =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

export type CreatedApiKey = PartOf<typeof createApiKey, 'reply'>

type Props = { onCreated: (created: CreatedApiKey) => void; onCancel: () => void }

/** Renders the form for a new API key. */
export function ApiKeyForm({ onCreated, onCancel }: Props) {
  const form = useForm({
    schema: Form,
    initialValues: { name: '', scopes: [] as ApiScope[], networks: '', expiresInDays: '90' },
    submit: async ({ networks, expiresInDays, ...values }) => {
      const body = { ...values, networks: linesOf(networks), expiresInDays: Number(expiresInDays) }
      onCreated(await call(createApiKey, { body }))
    },
  })
  const networks = form.field('networks')
  const first = useFocusOnMount()
  return (
    <form {...form.props} className="card space-y-5 p-5 sm:p-6">
      <h2 className="text-lg">{t`Create an API key`}</h2>
      <TextInput
        ref={first}
        label={t`Name`}
        required
        autoComplete="off"
        maxLength={API_KEY_NAME_MAX}
        description={t`What uses the key, such as a server's name`}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.field('name')}
      />
      <Checkbox.Group label={t`Scopes`} required {...form.field('scopes')}>
        <div className="mt-2 space-y-3">
          {API_SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={SCOPE_NAMES[scope].name}
              description={SCOPE_NAMES[scope].allows}
            />
          ))}
        </div>
      </Checkbox.Group>
      <NativeSelect
        label={t`Expires after`}
        required
        data={DAYS.map((value) => ({ value, label: plural(value, { one: '# day', other: '# days' }) }))}
        {...form.field('expiresInDays')}
      />
      <Textarea
        label={t`Allowed networks`}
        autosize
        minRows={2}
        maxRows={API_KEY_NETWORKS_MAX}
        {...networks}
        description={networks.error ? undefined : NETWORKS_HINT}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <p className="text-sm text-dim">{t`A key can never withdraw coins, change your account or create other keys. We email you whenever a key is created.`}</p>
      <FormError message={form.submitError} />
      <FormActions onCancel={onCancel}>
        <Button type="submit" loading={form.isSubmitting}>{t`Create key`}</Button>
      </FormActions>
    </form>
  )
}
