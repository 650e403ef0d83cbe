import { t } from '@lingui/core/macro'
import '#web/features/auth/auth-card.css'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { AdminPassword, NewPassword, requestReset, resetPassword } from '#contract/auth.ts'
import { Email } from '#contract/shapes.ts'
import { auth } from '#web/content/en.ts'
import { AuthCard } from '#web/features/auth/auth-card.tsx'
import { LinkCheck, UsedLink } from '#web/features/auth/link-check.tsx'
import { NewPasswordInput } from '#web/features/auth/new-password-input.tsx'
import { call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { useFragment } from '#web/lib/fragment.ts'
import { pageMeta } from '#web/lib/meta.ts'
import { useSessionEnd } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { showMessage } from '#web/ui/dialogs.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { IconMail } from '#web/ui/icons.ts'

export const meta = () => [
  ...pageMeta({ title: t`New password`, description: auth.resetDescription }),
  { name: 'robots', content: 'noindex' },
]

/** Renders the password reset: a form that requests the email, or with the email's token one for the new password. */
export default function Reset() {
  const token = useFragment('token')
  return token === '' ? <RequestLink /> : <ChoosePassword token={token} />
}

function RequestLink() {
  const [sent, setSent] = useState<string | null>(null)
  const form = useForm({
    schema: z.object({ email: Email }),
    initialValues: { email: '' },
    submit: async (body) => setSent((await call(requestReset, { body })).message),
  })
  return (
    <AuthCard
      title={t`Forgot your password?`}
      lead={t`Enter your email and we will send you a link to set a new password.`}
    >
      <form {...form.props} className="card space-y-4 p-6">
        <TextInput label={t`Email`} type="email" autoComplete="email" required {...form.field('email')} />
        <FormError message={form.submitError} />
        <div role="status">
          {sent && (
            <p className="flex items-start gap-2 rounded-control bg-soft px-4 py-3 text-sm text-on-soft">
              <IconMail size={20} className="shrink-0" aria-hidden />
              {sent}
            </p>
          )}
        </div>
        <Button type="submit" fullWidth loading={form.isSubmitting}>
          {sent ? t`Send again` : t`Send link`}
        </Button>
      </form>
    </AuthCard>
  )
}

function ChoosePassword({ token }: { token: string }) {
  const endSession = useSessionEnd()
  const navigate = useNavigate()
  const isAdmin = useFragment('role') === 'Admin'
  const form = useForm({
    schema: z.object({ password: isAdmin ? AdminPassword : NewPassword }),
    initialValues: { password: '' },
    submit: async ({ password }) => {
      await endSession(() => call(resetPassword, { body: { token, password } }))
      await navigate('/login', { replace: true })
      void showMessage({
        title: t`Password changed`,
        text: t`You have been signed out on all devices. Sign in with your new password.`,
      })
    },
  })
  return (
    <AuthCard title={t`Choose a new password`} lead={t`You will be signed out on all devices.`}>
      <LinkCheck
        purpose="reset"
        token={token}
        fallback={
          <UsedLink action={<LinkButton to="/reset" className="w-full">{t`Request a new link`}</LinkButton>}>
            {t`It has already been used or has expired. If you have set a new password with it, sign in with that password.`}
          </UsedLink>
        }
      >
        <form {...form.props} className="card space-y-4 p-6">
          <NewPasswordInput admin={isAdmin} label={t`New password`} {...form.field('password')} />
          <FormError message={form.submitError} />
          <Button type="submit" fullWidth loading={form.isSubmitting}>{t`Change password`}</Button>
        </form>
      </LinkCheck>
    </AuthCard>
  )
}
