import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { verifyEmail } from '#contract/auth.ts'
import { auth } from '#web/content/en.ts'
import { AuthCard } from '#web/features/auth/auth-card.tsx'
import { LinkCheck, UsedLink } from '#web/features/auth/link-check.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
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

/** Renders the email verification. The token is used on a click, not on the visit, because mail scanners open links. */
export default function Verify() {
  const token = useFragment('token')
  const change = useSessionChange()
  const verify = useMutation({
    mutationFn: async () => {
      let email = ''
      await change(async () => {
        email = (await call(verifyEmail, { body: { token } })).email
      })
      return email
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
          <div className="card space-y-4 p-6">
            <p>{t`Press the button to verify your email address.`}</p>
            <FormError message={verify.error && errorMessage(verify.error)} />
            <Button
              fullWidth
              loading={verify.isPending}
              onClick={() => verify.mutate()}
            >{t`Verify email`}</Button>
          </div>
        </LinkCheck>
      )}
    </AuthCard>
  )
}
