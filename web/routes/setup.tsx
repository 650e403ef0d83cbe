import { t } from '@lingui/core/macro'
import '#web/features/auth/auth-card.css'
import { Button, TextInput } from '@mantine/core'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { AdminPassword } from '#contract/auth.ts'
import { Email, Name } from '#contract/shapes.ts'
import { setupAdmin } from '#contract/site.ts'
import { auth } from '#web/content/en.ts'
import { AuthCard } from '#web/features/auth/auth-card.tsx'
import { LinkCheck, UsedLink } from '#web/features/auth/link-check.tsx'
import { NewPasswordInput } from '#web/features/auth/new-password-input.tsx'
import { call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { useFragment } from '#web/lib/fragment.ts'
import { pageMeta } from '#web/lib/meta.ts'
import { useSessionChange } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FormError } from '#web/ui/form-error.tsx'

export const meta = () => [
  ...pageMeta({ title: t`Set up`, description: auth.setupDescription }),
  { name: 'robots', content: 'noindex' },
]

/** Renders the form that creates the first Admin, with the code of the one-time link that the server printed. */
export default function Setup() {
  const code = useFragment('code')
  const change = useSessionChange()
  const navigate = useNavigate()
  const form = useForm({
    schema: z.object({ name: Name, email: Email, password: AdminPassword }),
    initialValues: { name: '', email: '', password: '' },
    submit: async (body) => {
      await change(() => call(setupAdmin, { body: { ...body, code } }))
      await navigate('/dashboard/security', { replace: true })
    },
  })
  return (
    <AuthCard title={t`Set up your marketplace`} lead={t`Create the first Admin. This link works once.`}>
      {code === '' ? (
        <ErrorState
          title={t`This link is incomplete`}
          message={t`Open the complete link that the server printed at its first start.`}
        />
      ) : (
        <LinkCheck
          purpose="setup"
          token={code}
          fallback={
            <UsedLink action={<LinkButton to="/login" className="w-full">{t`Login`}</LinkButton>}>
              {t`It was used or replaced. If you created the Admin with it, sign in. Otherwise restart the server to get a new link.`}
            </UsedLink>
          }
        >
          <form {...form.props} className="card space-y-4 p-6">
            <TextInput label={t`Name`} autoComplete="name" required {...form.field('name')} />
            <TextInput label={t`Email`} type="email" autoComplete="email" required {...form.field('email')} />
            <NewPasswordInput admin {...form.field('password')} />
            <FormError message={form.submitError} />
            <Button type="submit" fullWidth loading={form.isSubmitting}>{t`Create Admin account`}</Button>
          </form>
        </LinkCheck>
      )}
    </AuthCard>
  )
}
