import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { identity as identityEndpoint, startOpenid, stepUp } from '#contract/auth.ts'
import { pathOf } from '#contract/endpoint.ts'
import { beginPasskeyStepUp, EnterCode, stepUpWithCode, stepUpWithPasskey } from '#contract/second-factor.ts'
import { tryAs } from '#contract/site.ts'
import { CodeField } from '#web/features/auth/code-field.tsx'
import { CurrentPassword, CurrentPasswordInput } from '#web/features/auth/current-password-input.tsx'
import { PasskeyButton } from '#web/features/auth/passkey-button.tsx'
import { useSite } from '#web/features/site/site.ts'
import { call, errorMessage, type Reply } from '#web/lib/api.ts'
import { useFocusOnMount } from '#web/lib/focus-on-mount.ts'
import { useForm } from '#web/lib/form.ts'
import { formatAny } from '#web/lib/format-list.ts'
import { getIdentity, resetToken } from '#web/lib/id-token.ts'
import { pagePath } from '#web/lib/locale.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.tsx'
import { showDialogOnTop } from '#web/ui/dialogs.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'

type Identity = Reply<typeof identityEndpoint>
type Close = (proved: true | null) => void

let pending: Promise<boolean> | null = null

/**
 * Asks the user to prove their identity (docs/specification/identity.md#step-up). Requests that need it at the same time
 * share one dialog. Resolves to whether they did.
 */
export function proveIdentity(): Promise<boolean> {
  pending ??= showDialogOnTop<true>({
    title: t`Confirm your identity`,
    content: (close) => <StepUp close={close} />,
  })
    .then((proved) => proved === true)
    .finally(() => {
      pending = null
    })
  return pending
}

/** Renders the user's way to prove their identity: their password, or a new sign-in. */
function StepUp({ close }: { close: Close }) {
  const { data: identity, error } = useQuery(queryOf(identityEndpoint, {}))
  const site = useSite()
  if (error !== null) {
    return (
      <div className="space-y-4">
        <FormError message={errorMessage(error)} />
        <FormActions onCancel={() => close(null)} />
      </div>
    )
  }
  if (identity === undefined || site === undefined) return <p className="text-dim">{t`Loading…`}</p>
  if (identity.hasSecondFactor) return <CodeProof close={close} />
  if (identity.hasPassword) return <PasswordProof identity={identity} close={close} />
  const providers = site.providers.filter(({ label }) => identity.linkedTo.includes(label))
  if (providers.length === 0 && site.demo) return <DemoProof identity={identity} close={close} />
  return <ProviderProof identity={identity} providers={providers} close={close} />
}

const Form = z.object({ currentPassword: CurrentPassword })

function PasswordProof({ identity, close }: { identity: Identity; close: Close }) {
  const input = useFocusOnMount()
  const form = useForm({
    schema: Form,
    initialValues: { currentPassword: '' },
    submit: async (body) => {
      await call(stepUp, { body })
      close(true)
    },
  })
  return (
    <form {...form.props} className="space-y-4">
      <p className="text-dim">{t`You signed in some time ago. Enter your password to continue.`}</p>
      {/* Password managers choose the password by the email. */}
      <input type="email" autoComplete="username" value={identity.email} readOnly hidden />
      <CurrentPasswordInput ref={input} {...form.field('currentPassword')} />
      <FormError message={form.submitError} />
      <FormActions onCancel={() => close(null)}>
        <Button type="submit" loading={form.isSubmitting}>{t`Confirm`}</Button>
      </FormActions>
    </form>
  )
}

/** Renders the field for a code, which proves the identity of a user with a second factor. */
function CodeProof({ close }: { close: Close }) {
  const form = useForm({
    schema: EnterCode,
    initialValues: { code: '' },
    submit: async (body) => {
      await call(stepUpWithCode, { body })
      close(true)
    },
  })
  return (
    <form {...form.props} className="space-y-4">
      <p className="text-dim">{t`Use your passkey, or enter the code that your authenticator app shows or a recovery code.`}</p>
      <PasskeyButton
        label={t`Use a passkey`}
        begin={() => call(beginPasskeyStepUp, {})}
        finish={async (response) => {
          await call(stepUpWithPasskey, { body: { response } })
          close(true)
        }}
      />
      <CodeField {...form.field('code')} />
      <FormError message={form.submitError} />
      <FormActions onCancel={() => close(null)}>
        <Button type="submit" loading={form.isSubmitting}>{t`Confirm`}</Button>
      </FormActions>
    </form>
  )
}

type Provider = { id: string; label: string }

/** Renders links to sign in again in a new tab, so that what was typed in this one stays. */
function ProviderProof({
  identity,
  providers,
  close,
}: {
  identity: Identity
  providers: Provider[]
  close: Close
}) {
  const [opened, setOpened] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const proceed = async () => {
    try {
      await continueAs(identity)
      close(true)
    } catch (failure) {
      setError(errorMessage(failure))
    }
  }
  const labels = formatAny(providers.map(({ label }) => label))
  return (
    <div className="space-y-4">
      <p className="text-dim">
        {providers.length > 0
          ? t`You signed in some time ago. Sign in with ${labels} again in a new tab, then come back and continue.`
          : t`You signed in some time ago. Set a password, sign in with it, then come back and continue.`}
      </p>
      {providers.map(({ id, label }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          component="a"
          href={`${pathOf(startOpenid, { id })}?returnTo=${pagePath('/dashboard')}`}
          target="_blank"
          rel="noopener"
          onClick={() => setOpened(true)}
        >
          {t`Sign in with ${label}`}
        </Button>
      ))}
      {providers.length === 0 && (
        <Button
          variant="default"
          fullWidth
          component="a"
          href={pagePath('/reset')}
          target="_blank"
          rel="noopener"
        >
          {t`Set a password`}
        </Button>
      )}
      <FormError message={error} />
      <FormActions onCancel={() => close(null)}>
        <Button disabled={!opened && providers.length > 0} onClick={() => void proceed()}>
          {t`Continue`}
        </Button>
      </FormActions>
    </div>
  )
}

function DemoProof({ identity, close }: { identity: Identity; close: Close }) {
  const { userData } = useSession()
  const [error, setError] = useState<string | null>(null)
  const signInAgain = async () => {
    try {
      await call(tryAs, { body: { role: userData?.role ?? 'Worker' } })
      await continueAs(identity)
      close(true)
    } catch (failure) {
      setError(errorMessage(failure))
    }
  }
  return (
    <div className="space-y-4">
      <p className="text-dim">{t`You signed in some time ago. Sign in to the demo again to continue.`}</p>
      <FormError message={error} />
      <FormActions onCancel={() => close(null)}>
        <Button onClick={() => void signInAgain()}>{t`Sign in again`}</Button>
      </FormActions>
    </div>
  )
}

/** Continues in the browser's new session. Reloads the page when it is another user's, so that no request is repeated. */
async function continueAs({ email }: Identity): Promise<void> {
  resetToken()
  if ((await getIdentity())?.email === email) return
  location.reload()
  await new Promise(() => {})
}
