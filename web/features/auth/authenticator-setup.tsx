import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { Suspense } from 'react'
import { type beginAuthenticator, confirmAuthenticator, EnterCode } from '#contract/second-factor.ts'
import { call, isRefusal, type Reply } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { FormError } from '#web/ui/form-error.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'

const QrCode = lazyComponent(() => import('./qr-code.tsx'))

type Props = {
  setup: Reply<typeof beginAuthenticator>
  onAdded: (recoveryCodes: string[] | null) => void
  /** The response was lost: the app may be added. */
  onUnknown: () => void
  onCancel: () => void
}

/** Renders the secret of a new authenticator app, as a QR code and as text, and confirms the app's first code. */
export function AuthenticatorSetup({ setup, onAdded, onUnknown, onCancel }: Props) {
  const form = useForm({
    schema: EnterCode,
    initialValues: { code: '' },
    submit: async (body) => {
      const confirmation = call(confirmAuthenticator, { params: { id: setup._id }, body })
      confirmation.catch((error: unknown) => {
        if (!isRefusal(error)) onUnknown()
      })
      onAdded((await confirmation).recoveryCodes)
    },
  })
  return (
    <form {...form.props} className="mt-4 space-y-4">
      <p>{t`Scan this QR code with your authenticator app, then enter the code that the app shows.`}</p>
      <div className="min-h-[200px]">
        <Suspense>
          <QrCode text={setup.uri} label={t`QR code for your authenticator app`} />
        </Suspense>
      </div>
      <p className="text-sm text-dim">
        <Trans>
          Or enter this key in the app:{' '}
          <code className="break-all text-ink">{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        </Trans>
      </p>
      <TextInput
        label={t`Code from the app`}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        {...form.field('code')}
      />
      <FormError message={form.submitError} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={form.isSubmitting}>{t`Confirm`}</Button>
        <Button variant="default" onClick={onCancel}>{t`Cancel`}</Button>
      </div>
    </form>
  )
}
