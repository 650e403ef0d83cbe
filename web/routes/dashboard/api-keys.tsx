import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  API_KEY_REQUESTS_PER_MINUTE,
  API_KEYS_MAX,
  type ApiKey,
  apiKeys,
  revokeApiKey,
} from '#contract/api-keys.ts'
import { ApiKeyForm, type CreatedApiKey } from '#web/features/api-keys/api-key-form.tsx'
import { ApiKeyList } from '#web/features/api-keys/api-key-list.tsx'
import { isLive } from '#web/features/api-keys/api-key-state.tsx'
import { call } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { recoverFocus, useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useUserData } from '#web/lib/session.tsx'
import { confirm } from '#web/ui/dialogs.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconPlus } from '#web/ui/icons.ts'
import { NewSecret } from '#web/ui/new-secret.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { showFailure } from '#web/ui/show-failure.ts'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Worker', 'Buyer'] }

/** Renders the user's API keys: create, watch and revoke them. */
export default function ApiKeys() {
  const queryClient = useQueryClient()
  const { data: keys } = useSuspenseQuery(queryOf(apiKeys, {}))
  const [isFormOpen, setIsFormOpen] = useState(false)
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const { role } = useUserData()
  const addButton = useRef<HTMLButtonElement>(null)
  const live = keys.filter(isLive)
  const ended = keys.filter((key) => !isLive(key))
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeyOf(apiKeys) })

  async function onCreated(key: CreatedApiKey) {
    setIsFormOpen(false)
    setCreated(key)
    await refresh()
  }

  /** Closes the form or the secret. The button that opened it is there again, and gets the focus. */
  function close() {
    flushSync(() => {
      setIsFormOpen(false)
      setCreated(null)
    })
    addButton.current?.focus()
    recoverFocus()
  }

  // The button of a key that was revoked is removed with it.
  useFocusRecovery(live.length)

  async function revoke({ _id, name, lastUsedAt }: ApiKey) {
    const lastUse =
      lastUsedAt === null
        ? t`It was never used.`
        : t`It was last used ${{ time: formatTimeAgo(lastUsedAt) }}.`
    const confirmed = await confirm({
      title: t`Revoke ${name}?`,
      text: (
        <>
          <p>{t`Anything that uses this key stops working immediately. A revoked key cannot be restored.`}</p>
          <p className="mt-3 rounded-control bg-canvas px-4 py-3 text-sm text-ink">{lastUse}</p>
        </>
      ),
      confirmLabel: t`Revoke`,
      danger: true,
    })
    if (!confirmed) return
    await showFailure(t`Could not revoke this key`, call(revokeApiKey, { params: { id: _id } }))
    await refresh()
  }

  const add = (
    <Button
      ref={addButton}
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
      subtitle={
        role === 'Buyer'
          ? t`Let your own systems post tasks and review work`
          : t`Let your own systems follow your work and payments`
      }
      action={!isFormOpen && created === null && keys.length > 0 && live.length < API_KEYS_MAX && add}
    >
      <div className="space-y-5">
        {isFormOpen && <ApiKeyForm onCreated={(key) => void onCreated(key)} onCancel={close} />}
        {created !== null && (
          <NewSecret
            title={t`${{ name: created.name }} is ready`}
            secret={created.secret}
            copyLabel={t`Copy key`}
            onDone={close}
          >
            <p>{t`Copy the key now and store it like a password. It is shown only once.`}</p>
          </NewSecret>
        )}
        {live.length > 0 && (
          <section aria-labelledby="live-keys">
            <h2 id="live-keys" className="mb-3 text-lg">{t`Active keys`}</h2>
            <ApiKeyList label={t`Active keys`} keys={live} onRevoke={(key) => void revoke(key)} />
          </section>
        )}
        {keys.length === 0 && !isFormOpen && created === null && (
          <EmptyState title={t`No API keys yet`} action={add}>
            {role === 'Buyer'
              ? t`With a key, your own system posts tasks, reviews work and reads your statements on your behalf, without your password.`
              : t`With a key, your own system follows your work, coins and payments on your behalf, without your password.`}
          </EmptyState>
        )}
        {live.length >= API_KEYS_MAX && (
          <p className="text-sm text-dim">{t`You have ${{ count: formatNumber(API_KEYS_MAX) }} keys. Revoke one to create another.`}</p>
        )}
        <p className="text-sm text-dim">
          <Trans>
            The{' '}
            <a className="link" href="/api/docs">
              API documentation
            </a>{' '}
            lists what each scope allows.
          </Trans>{' '}
          {t`A key makes at most ${{ requests: formatNumber(API_KEY_REQUESTS_PER_MINUTE) }} requests a minute.`}
        </p>
        {ended.length > 0 && (
          <section aria-labelledby="ended-keys">
            <h2 id="ended-keys" className="mb-3 text-lg">{t`Revoked and expired keys`}</h2>
            <ApiKeyList
              label={t`Revoked and expired keys`}
              keys={ended}
              onRevoke={(key) => void revoke(key)}
            />
          </section>
        )}
      </div>
    </Screen>
  )
}
