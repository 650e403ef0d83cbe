import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addPasskey,
  beginAuthenticator,
  beginPasskey,
  type Factor,
  removeFactor,
  replaceRecoveryCodes,
  secondFactor,
} from '#contract/second-factor.ts'
import { AuthenticatorSetup } from '#web/features/auth/authenticator-setup.tsx'
import { passkeyError } from '#web/features/auth/passkey-button.tsx'
import { RecoveryCodes } from '#web/features/auth/recovery-codes.tsx'
import { ApiError, call, errorMessage, type Reply } from '#web/lib/api.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { createPasskey, supportsPasskeys } from '#web/lib/passkey.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'

/** Renders the user's authenticator apps, passkeys and recovery codes. */
export function TwoStepSignIn() {
  const { data } = useSuspenseQuery(queryOf(secondFactor, {}))
  const queries = useQueryClient()
  const [setup, setSetup] = useState<Reply<typeof beginAuthenticator> | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  // The button that was pressed is removed with what it belonged to.
  const addButton = useFocusRecovery<HTMLButtonElement>(
    `${setup === null} ${codes === null} ${data.factors.length}`,
  )
  const refresh = async () => {
    // The dashboard refuses an Admin without a second factor where one is required.
    await queries.invalidateQueries()
  }

  /** Runs a change and refreshes the list. Shows its error. */
  const change = async (work: () => Promise<unknown>) => {
    try {
      await work()
      await refresh()
    } catch (error) {
      await showFailure(t`Nothing was changed`, error, errorMessage(error))
    }
  }
  /** Shows why a change failed. Where the response was lost, the list shows whether it was made. */
  const showFailure = async (title: string, error: unknown, text: string) => {
    if (!(error instanceof ApiError) || error.status !== 0) return showMessage({ title, text, tone: 'error' })
    void refresh()
    await showMessage({
      title: t`It is not known whether this was changed`,
      text: t`Check the list when your connection is back. If you did not see your recovery codes, create new ones: the earlier ones may no longer work.`,
      tone: 'error',
    })
  }
  const beginSetup = async () => {
    try {
      setSetup(await call(beginAuthenticator, {}))
    } catch (error) {
      await showMessage({ title: t`Nothing was changed`, text: errorMessage(error), tone: 'error' })
    }
  }
  const remove = async (factor: Factor) => {
    const name = nameOf(factor)
    const isLast = data.factors.length === 1
    const confirmed = await confirm({
      title: t`Remove ${name}?`,
      text: isLast
        ? t`This turns off two-step sign-in. Your recovery codes stop working.`
        : t`You can no longer sign in with it.`,
      confirmLabel: t`Remove`,
      danger: true,
    })
    if (confirmed) await change(() => call(removeFactor, { params: { id: factor._id } }))
  }
  const addOwnPasskey = async () => {
    try {
      const response = await createPasskey(await call(beginPasskey, {}))
      const { recoveryCodes } = await call(addPasskey, { body: { name: passkeyName(), response } })
      setCodes(recoveryCodes)
      await refresh()
    } catch (error) {
      await showFailure(t`Could not add a passkey`, error, passkeyError(error))
    }
  }
  const replaceCodes = async () => {
    const confirmed = await confirm({
      title: t`Create new recovery codes?`,
      text: t`Your current recovery codes stop working.`,
      confirmLabel: t`Create new codes`,
    })
    if (confirmed) {
      await change(async () => setCodes((await call(replaceRecoveryCodes, {})).recoveryCodes))
    }
  }

  return (
    <section className="card p-5 sm:p-6" aria-labelledby="two-step">
      <h2 id="two-step" className="text-lg">{t`Two-step sign-in`}</h2>
      <p className="mt-2 text-dim">
        {data.factors.length > 0
          ? t`When you sign in, you confirm it with one of these.`
          : data.required
            ? t`Admins need two-step sign-in here. Add an authenticator app or a passkey to continue.`
            : t`Protect your account with a second step when you sign in, in case someone learns your password.`}
      </p>
      {data.factors.length > 0 && (
        <ul className="mt-4 divide-y divide-line">
          {data.factors.map((factor) => (
            <li key={factor._id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div className="min-w-0">
                <p className="font-medium break-words">{nameOf(factor)}</p>
                <p className="text-sm text-dim">
                  {t`Added ${{ createdAt: formatDateTime(factor.createdAt) }}`}
                  {factor.usedAt !== null && (
                    <> · {t`Last used ${{ usedAt: formatDateTime(factor.usedAt) }}`}</>
                  )}
                </p>
              </div>
              <Button
                variant="default"
                aria-label={t`Remove ${{ name: nameOf(factor) }}`}
                onClick={() => void remove(factor)}
              >
                {t`Remove`}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      {setup !== null && (
        <AuthenticatorSetup
          setup={setup}
          onUnknown={() => void refresh()}
          onCancel={() => setSetup(null)}
          onAdded={(recoveryCodes) => {
            setSetup(null)
            setCodes(recoveryCodes)
            void refresh()
          }}
        />
      )}
      {setup === null && codes === null && (
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button ref={addButton} variant="default" onClick={() => void beginSetup()}>
            {t`Add authenticator app`}
          </Button>
          {supportsPasskeys() && (
            <Button variant="default" onClick={() => void addOwnPasskey()}>{t`Add passkey`}</Button>
          )}
          {data.factors.length > 0 && (
            <>
              <Button variant="default" onClick={() => void replaceCodes()}>{t`New recovery codes`}</Button>
              <span className="text-sm text-dim">
                {plural(data.recoveryCodesLeft, {
                  one: '# recovery code left',
                  other: '# recovery codes left',
                })}
              </span>
            </>
          )}
        </div>
      )}
    </section>
  )
}

/** Returns the name of a factor. Users name their passkeys only. */
function nameOf({ kind, name }: Factor): string {
  return kind === 'authenticator' ? t`Authenticator app` : name
}

/** Returns a name for a passkey made on this device. */
function passkeyName(): string {
  const systems = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'CrOS', 'Linux']
  const system = systems.find((name) => navigator.userAgent.includes(name))
  return system === undefined ? t`Passkey` : t`Passkey on ${system}`
}
