import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSearchParams } from '#web/lib/search-params.ts'
import '#web/features/auth/auth-card.css'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link, type Location, useLocation, useNavigate, useNavigation } from 'react-router'
import { isReturnPath, signIn } from '#contract/auth.ts'
import { splitLocale } from '#contract/locales.ts'
import { OPENID_ERRORS, type OpenidError } from '#contract/openid-errors.en.ts'
import { LOGIN_DIALOG_MS } from '#contract/product.ts'
import { auth } from '#web/content/en.ts'
import { AuthCard } from '#web/features/auth/auth-card.tsx'
import { DemoSignIn } from '#web/features/auth/demo-sign-in.tsx'
import { PasskeySignIn } from '#web/features/auth/passkey-sign-in.tsx'
import { ProviderButtons } from '#web/features/auth/provider-buttons.tsx'
import { SecondStep } from '#web/features/auth/second-step.tsx'
import { openInLanguageOf } from '#web/features/site/use-account-language.ts'
import { ApiError, errorMessage } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { pageMeta } from '#web/lib/meta.ts'
import { useSession } from '#web/lib/session.tsx'
import { showMessage } from '#web/ui/dialogs.tsx'
import { FormError, PostedFormErrors } from '#web/ui/form-error.tsx'

const loadSchema = () => import('#web/features/auth/sign-in-schema.ts')

export const meta = () => pageMeta({ title: t`Login`, description: auth.loginDescription })

/** Renders the login screen. After the login it continues to the page that required it (docs/specification/screens.md). */
export default function Login() {
  const { user, userData, loading, signIN } = useSession()
  const navigate = useNavigate()
  const isIdle = useNavigation().state === 'idle'
  const { state, hash } = useLocation()
  const [search] = useSearchParams()
  // The page is prerendered without a query string, so the error is read after hydration.
  const [providerError, setProviderError] = useState<string | null>(null)
  const [needsSecondStep, setNeedsSecondStep] = useState(false)
  useEffect(() => {
    // After a sign-in with a provider, and after the form was posted without scripts.
    if (search.get('step') === 'second-factor' || hash === '#second_factor_required') setNeedsSecondStep(true)
    const error = search.get('error') ?? ''
    setProviderError(Object.hasOwn(OPENID_ERRORS, error) ? OPENID_ERRORS[error as OpenidError] : null)
  }, [search, hash])
  const form = useForm({
    schema: loadSchema,
    postsTo: signIn,
    initialValues: { email: '', password: '' },
    submit: async ({ email, password }) => {
      try {
        await signIN(email, password)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'second_factor_required') throw error
        return setNeedsSecondStep(true)
      }
      showWelcome()
    },
    onError: (error) =>
      void showMessage({ title: t`Login Failed`, text: errorMessage(error), tone: 'error' }),
  })

  const from = (state as { from?: Location } | null)?.from
  const asked = search.get('returnTo') ?? ''
  const returnTo = splitLocale(isReturnPath(asked) ? asked : '/dashboard').path
  const to = from ? from.pathname + from.search + from.hash : returnTo
  // Does not redirect while a navigation is in flight, because the user chose its destination.
  useEffect(() => {
    if (!user || loading || !isIdle) return
    if (userData && openInLanguageOf(userData, to)) return
    void navigate(to, { replace: true, state: from?.state })
  }, [user, userData, loading, isIdle, navigate, to, from])

  if (needsSecondStep) {
    return (
      <AuthCard title={t`Two-step sign-in`} lead={t`Confirm that it is you.`}>
        <div className="card p-6">
          <SecondStep onSignedIn={showWelcome} onCancel={() => setNeedsSecondStep(false)} />
        </div>
      </AuthCard>
    )
  }
  return (
    <AuthCard
      title={t`Login`}
      lead={
        <Trans>
          New here?{' '}
          <Link to="/sign-up" className="link">
            Register
          </Link>{' '}
          and receive starting coins.
        </Trans>
      }
    >
      <div className="card space-y-4 p-6">
        <FormError message={providerError} />
        {!form.wasSubmitted && <PostedFormErrors errors={signIn.form.errors} />}
        <form {...form.props} className="space-y-4">
          <TextInput
            label={t`Email`}
            type="email"
            autoComplete="email"
            placeholder="name@example.com"
            required
            {...form.field('email')}
          />
          <PasswordInput
            label={t`Password`}
            autoComplete="current-password"
            required
            visibilityToggleButtonProps={{ 'aria-label': t`Show password` }}
            {...form.field('password')}
          />
          <Button type="submit" fullWidth loading={form.isSubmitting}>{t`Login`}</Button>
          <p className="text-center text-sm">
            <Link
              to="/reset"
              className="link inline-flex min-h-8 items-center"
            >{t`Forgot your password?`}</Link>
          </p>
        </form>
        <PasskeySignIn label={t`Sign in with a passkey`} onSignedIn={showWelcome} />
        <ProviderButtons returnTo={to} />
      </div>
      <DemoSignIn onSignedIn={showWelcome} />
    </AuthCard>
  )
}

function showWelcome() {
  void showMessage({ title: t`Welcome Back!`, text: t`You're now logged in.`, closeAfterMs: LOGIN_DIALOG_MS })
}
