import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { verifyEmail } from '#contract/auth.ts'
import { auth } from '#web/content/en.ts'
import { AuthCard } from '#web/features/auth/auth-card.tsx'
import { CurrentPassword, CurrentPasswordInput } from '#web/features/auth/current-password-input.tsx'
import { LinkCheck, UsedLink } from '#web/features/auth/link-check.tsx'
import { ApiError, call, errorMessage } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { useFragment } from '#web/lib/fragment.ts'
import { pageMeta } from '#web/lib/meta.ts'
import { useSessionChange } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { IconCircleCheck } from '#web/ui/icons.ts'

export const meta = () => [
  ...pageMeta({ title: t`Verify your email`, description: auth.verifyDescription }),
  { name: 'robots', content: 'noindex' },
]

/**
 * Renders the email verification. The token is used on a click, not on the visit, because mail scanners open links. Where the
 * identity of the link is not signed in, such as on another device, its password is required as well.
 */
export default function Verify() {
  const token = useFragment('token')
  const change = useSessionChange()
  const [needsPassword, setNeedsPassword] = useState(false)
  const verify = useMutation({
    mutationFn: async (password?: string) => {
      let email = ''
      await change(async () => {
        email = (await call(verifyEmail, { body: { token, password } })).email
      })
      return email
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'sign_in_required') setNeedsPassword(true)
    },
  })
  return (
    <AuthCard title={t`Verify your email`} lead={t`Confirm that this email address is yours.`}>
      {verify.data ? (
        <div className="card space-y-4 p-6" role="status">
          <p className="flex items-start gap-3">
            <IconCircleCheck size={24} className="shrink-0 text-brand" aria-hidden />
            <span>
              <Trans>
                <span className="font-number break-all">{verify.data}</span> is verified.
              </Trans>
            </span>
          </p>
          <LinkButton to="/dashboard" className="w-full">{t`Go to the dashboard`}</LinkButton>
        </div>
      ) : token === '' ? (
        <p className="card p-6">{t`This link is incomplete. Open the complete link from the email.`}</p>
      ) : (
        <LinkCheck
          purpose="verify"
          token={token}
          fallback={
            <UsedLink
              action={
                <LinkButton to="/dashboard/security" className="w-full">{t`Account Security`}</LinkButton>
              }
            >
              {t`It has already been used or has expired. Account Security shows whether your email is verified, and sends a new link.`}
            </UsedLink>
          }
        >
          {needsPassword ? (
            <PasswordForm verify={(password) => verify.mutateAsync(password)} />
          ) : (
            <div className="card space-y-4 p-6">
              <p>{t`Press the button to verify your email address.`}</p>
              <FormError message={verify.error && errorMessage(verify.error)} />
              <Button
                fullWidth
                loading={verify.isPending}
                onClick={() => verify.mutate(undefined)}
              >{t`Verify email`}</Button>
            </div>
          )}
        </LinkCheck>
      )}
    </AuthCard>
  )
}

const Form = z.object({ password: CurrentPassword })

function PasswordForm({ verify }: { verify: (password: string) => Promise<unknown> }) {
  const form = useForm({
    schema: Form,
    initialValues: { password: '' },
    submit: ({ password }) => verify(password),
  })
  return (
    <form {...form.props} className="card space-y-4 p-6">
      <p>{t`Enter your account password to verify your email.`}</p>
      <CurrentPasswordInput {...form.field('password')} />
      <FormError message={form.submitError} />
      <Button type="submit" fullWidth loading={form.isSubmitting}>{t`Verify email`}</Button>
    </form>
  )
}
