import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pendingSignIn, signInWithCode } from '#contract/second-factor.ts'
import { CodeField } from '#web/features/auth/code-field.tsx'
import { PasskeySignIn } from '#web/features/auth/passkey-sign-in.tsx'
import { call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useSessionChange } from '#web/lib/session.tsx'
import { FormError } from '#web/ui/form-error.tsx'

const loadSchema = () => import('./second-step-schema.ts')

/** Renders the second step of a sign-in: the code of an authenticator app, or a recovery code. */
export function SecondStep({ onSignedIn, onCancel }: { onSignedIn: () => void; onCancel: () => void }) {
  const { data } = useQuery({ ...queryOf(pendingSignIn, {}), staleTime: 0, gcTime: 0 })
  const change = useSessionChange()
  const form = useForm({
    schema: loadSchema,
    initialValues: { code: '' },
    submit: async (body) => {
      await change(() => call(signInWithCode, { body }))
      onSignedIn()
    },
  })
  const isExpired = data?.methods.length === 0
  return (
    <form {...form.props} className="space-y-4">
      <p>
        {isExpired
          ? t`This sign-in has expired. Please sign in again.`
          : t`Enter the code that your authenticator app shows, or one of your recovery codes.`}
      </p>
      {!isExpired && (
        <>
          <CodeField {...form.field('code')} />
          <FormError message={form.submitError} />
          <Button type="submit" fullWidth loading={form.isSubmitting}>{t`Continue`}</Button>
        </>
      )}
      {data?.methods.includes('passkey') && (
        <PasskeySignIn label={t`Use a passkey`} onSignedIn={onSignedIn} />
      )}
      <Button variant="default" fullWidth onClick={onCancel}>{t`Back to login`}</Button>
    </form>
  )
}
