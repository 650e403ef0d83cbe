import { t } from '@lingui/core/macro'
import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { changeEmail, type identity as identityEndpoint, requestVerification } from '#contract/auth.ts'
import { Email } from '#contract/shapes.ts'
import { CurrentPassword, CurrentPasswordInput } from '#web/features/auth/current-password-input.tsx'
import { call, errorMessage, type Reply } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { formatAll } from '#web/lib/format-list.ts'
import { showMessage } from '#web/ui/dialogs.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

const Form = z.object({ email: Email, currentPassword: CurrentPassword })

/** Renders the sign-in email with its verification status, and a form to change it. */
export function ChangeEmail({ identity }: { identity: Reply<typeof identityEndpoint> }) {
  const [changing, setChanging] = useState(false)
  const verification = useMutation({
    mutationFn: () => call(requestVerification, {}),
    onSuccess: ({ message }) => showMessage({ title: t`Check your email`, text: message }),
    onError: (error) =>
      showMessage({ title: t`Could not send the email`, text: errorMessage(error), tone: 'error' }),
  })
  const form = useForm({
    schema: Form,
    initialValues: { email: '', currentPassword: '' },
    submit: async (body) => {
      const { message } = await call(changeEmail, { body })
      form.reset()
      setChanging(false)
      void showMessage({ title: t`Check your email`, text: message })
    },
  })
  return (
    <section className="card p-5 sm:p-6" aria-labelledby="address">
      <h2 id="address" className="text-lg">{t`Email`}</h2>
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-nav break-all">{identity.email}</span>
        <StatusBadge tone={identity.emailVerified ? 'success' : 'warning'}>
          {identity.emailVerified ? t`Verified` : t`Not verified`}
        </StatusBadge>
      </p>
      {identity.linkedTo.length > 0 && (
        <p className="mt-1 text-sm text-dim">{t`You can also sign in with ${{ providers: formatAll(identity.linkedTo) }}.`}</p>
      )}
      {!changing && (
        <div className="mt-4 flex flex-wrap gap-3">
          {!identity.emailVerified && (
            <Button variant="light" loading={verification.isPending} onClick={() => verification.mutate()}>
              {t`Verify email`}
            </Button>
          )}
          {identity.hasPassword && (
            <Button variant="default" onClick={() => setChanging(true)}>{t`Change email`}</Button>
          )}
        </div>
      )}
      {changing && (
        <form {...form.props} className="mt-4 space-y-4">
          <TextInput
            label={t`New email`}
            type="email"
            autoComplete="email"
            required
            {...form.field('email')}
          />
          <CurrentPasswordInput {...form.field('currentPassword')} />
          <FormError message={form.submitError} />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="default" loading={form.isSubmitting}>{t`Send link`}</Button>
            <Button variant="subtle" onClick={() => setChanging(false)}>{t`Cancel`}</Button>
          </div>
        </form>
      )}
    </section>
  )
}
