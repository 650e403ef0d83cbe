import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { API_KEYS_MAX, type ApiKey, apiKeys, revokeApiKey } from '#contract/api-keys.ts'
import { ApiKeyForm, type CreatedApiKey } from '#web/features/api-keys/api-key-form.tsx'
import { ApiKeyList, isLive } from '#web/features/api-keys/api-key-list.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconPlus } from '#web/ui/icons.ts'
import { NewSecret } from '#web/ui/new-secret.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Worker', 'Buyer'] }

/** Renders the user's API keys: create, watch and revoke them. */
export default function ApiKeys() {
  const queryClient = useQueryClient()
  const { data: keys } = useSuspenseQuery(queryOf(apiKeys, {}))
  const [isFormOpen, setIsFormOpen] = useState(false)
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeyOf(apiKeys) })

  async function onCreated(key: CreatedApiKey) {
    setIsFormOpen(false)
    setCreated(key)
    await refresh()
  }

  async function revoke({ _id, name }: ApiKey) {
    const confirmed = await confirm({
      title: t`Revoke ${name}?`,
      text: t`Anything that uses this key stops working immediately. A revoked key cannot be restored.`,
      confirmLabel: t`Revoke`,
      danger: true,
    })
    if (!confirmed) return
    try {
      await call(revokeApiKey, { params: { id: _id } })
    } catch (error) {
      await showMessage({ title: t`Could not revoke this key`, text: errorMessage(error), tone: 'error' })
    }
    await refresh()
  }

  const live = keys.filter(isLive).length
  const add = (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      onClick={() => {
        setCreated(null)
        setIsFormOpen(true)
      }}
    >
      {t`Create key`}
    </Button>
  )
  return (
    <Screen
      title={t`API Keys`}
      subtitle={t`Let your own systems post tasks and review work`}
      action={!isFormOpen && keys.length > 0 && live < API_KEYS_MAX && add}
      width="narrow"
    >
      <div className="space-y-5">
        {isFormOpen && (
          <ApiKeyForm onCreated={(key) => void onCreated(key)} onCancel={() => setIsFormOpen(false)} />
        )}
        {created !== null && (
          <NewSecret
            title={t`${{ name: created.name }} is ready`}
            secret={created.secret}
            copyLabel={t`Copy key`}
            onDone={() => setCreated(null)}
          >
            <p>{t`Copy the key now and store it like a password. It is shown only once.`}</p>
          </NewSecret>
        )}
        {keys.length > 0 && <ApiKeyList keys={keys} onRevoke={(key) => void revoke(key)} />}
        {keys.length === 0 && !isFormOpen && (
          <EmptyState title={t`No API keys yet`} action={add}>
            {t`With a key, your own system can use the API on your behalf.`}
          </EmptyState>
        )}
        {live >= API_KEYS_MAX && (
          <p className="text-sm text-dim">{t`You have ${{ count: formatNumber(API_KEYS_MAX) }} keys. Revoke one to create another.`}</p>
        )}
        <p className="text-sm text-dim">
          <Trans>
            The{' '}
            <a className="link" href="/api/docs">
              API documentation
            </a>{' '}
            lists what each scope allows.
          </Trans>
        </p>
      </div>
    </Screen>
  )
}
