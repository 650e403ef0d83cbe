import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import '#web/features/auth/auth-card.css'
import { Button, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useNavigation } from 'react-router'
import { signUp } from '#contract/auth.ts'
import { auth } from '#web/content/en.ts'
import { AuthCard } from '#web/features/auth/auth-card.tsx'
import CompleteProfile from '#web/features/auth/complete-profile.tsx'
import { NewPasswordInput } from '#web/features/auth/new-password-input.tsx'
import { ProviderButtons } from '#web/features/auth/provider-buttons.tsx'
import { register, SignUpForm } from '#web/features/auth/registration.ts'
import { RoleChoice } from '#web/features/auth/role-choice.tsx'
import { PictureField } from '#web/features/users/picture-field.tsx'
import { ApiError, errorMessage } from '#web/lib/api.ts'
import { signUpLocale } from '#web/lib/browser-locale.ts'
import { type Attempt, useForm } from '#web/lib/form.ts'
import { pageMeta } from '#web/lib/meta.ts'
import { useSession } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { showMessage } from '#web/ui/dialogs.tsx'
import { PostedFormErrors } from '#web/ui/form-error.tsx'
import { IconMail } from '#web/ui/icons.ts'

export const meta = () => pageMeta({ title: t`Register`, description: auth.signUpDescription })

/**
 * Renders the registration: creates an identity, then the user record. A retry does not repeat completed steps. Where signing in
 * needs a verified email, the rest follows after the link in the mail (web/features/auth/complete-profile.tsx).
 */
export default function SignUp() {
  const { user, userData, loading, createUserByEmail, signIN, refetchUser } = useSession()
  const navigate = useNavigate()
  const isIdle = useNavigation().state === 'idle'
  const identity = useRef<string | null>(null)
  const [mailedTo, setMailedTo] = useState<string | null>(null)
  const form = useForm({
    schema: SignUpForm,
    postsTo: signUp,
    initialValues: { name: '', email: '', password: '', role: '', image: null as File | null },
    submit: async ({ email, password, ...profile }, attempt) => {
      if (identity.current !== email) {
        identity.current = email
        try {
          const isSignedIn = await createIdentity(profile.name, email, password, attempt)
          if (!isSignedIn) return setMailedTo(email)
        } catch (error) {
          identity.current = null
          throw error
        }
      }
      if (await register(email, profile, attempt)) await refetchUser()
    },
    onError: (error) => {
      const isTaken = codeOf(error) === 'email_taken'
      const reason = errorMessage(error)
      void showMessage({
        title: t`Registration failed`,
        text: isTaken ? t`${reason} If it is yours, log in.` : reason,
        tone: 'error',
        next: isTaken ? { label: t`Login`, run: () => void navigate('/login') } : undefined,
      })
    },
  })

  /** Creates the identity. Returns whether it is signed in: otherwise its email has to be verified first. */
  async function createIdentity(name: string, email: string, password: string, { isRetry }: Attempt) {
    try {
      return (await createUserByEmail({ name, email, password, locale: signUpLocale() })) !== null
    } catch (error) {
      // The first attempt may have created it before its response was lost.
      if (!isRetry || codeOf(error) !== 'email_taken') throw error
      return signIN(email, password).then(
        () => true,
        (failure: unknown) => {
          const code = codeOf(failure)
          if (code === 'email_not_verified') return false
          // Another account, or one that needs a second step: the login is the way.
          throw code === 'wrong_credentials' || code === 'second_factor_required' ? error : failure
        },
      )
    }
  }

  // Does not redirect while a navigation is in flight, because the user chose its destination.
  useEffect(() => {
    if (user && userData && !loading && isIdle) void navigate('/dashboard', { replace: true })
  }, [user, userData, loading, isIdle, navigate])

  if (user && userData === null && identity.current === null && !loading) return <CompleteProfile />

  if (mailedTo !== null) {
    return (
      <AuthCard title={t`Check your email`} lead={t`One more step before you can log in.`}>
        <div className="card space-y-4 p-6" role="status">
          <p className="flex items-start gap-3">
            <IconMail size={24} className="shrink-0 text-brand" aria-hidden />
            <span>
              <Trans>
                We sent a link to <span className="font-number break-all">{mailedTo}</span>. Open it to verify
                your email, then log in to complete your profile.
              </Trans>
            </span>
          </p>
          <LinkButton to="/login" className="w-full">{t`Login`}</LinkButton>
        </div>
      </AuthCard>
    )
  }
  return (
    <AuthCard
      title={t`Create your account`}
      lead={
        <Trans>
          Already registered?{' '}
          <Link to="/login" className="link">
            Login
          </Link>
        </Trans>
      }
    >
      <form {...form.props} className="card space-y-4 p-6">
        {!form.wasSubmitted && <PostedFormErrors errors={signUp.form.errors} />}
        <RoleChoice {...form.field('role')} />
        <TextInput label={t`Name`} autoComplete="name" required {...form.field('name')} />
        <TextInput
          label={t`Email`}
          type="email"
          autoComplete="email"
          placeholder="name@example.com"
          required
          {...form.field('email')}
        />
        <NewPasswordInput {...form.field('password')} />
        <PictureField {...form.field('image')} userName={form.values.name} />
        <Button type="submit" fullWidth disabled={form.isSubmitting}>
          {form.isSubmitting ? t`Creating...` : t`Create account`}
        </Button>
        <ProviderButtons
          returnTo="/dashboard"
          choosesRole={form.values.role === 'Buyer'}
          note={form.values.role === 'Buyer' ? auth.providerAsBuyer : auth.providerAsWorker}
        />
      </form>
    </AuthCard>
  )
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : undefined)
