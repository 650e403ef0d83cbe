import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { AdminPassword, changePassword, NewPassword } from '#contract/auth.ts'
import { sessions } from '#contract/sessions.ts'
import { CurrentPassword, CurrentPasswordInput } from '#web/features/auth/current-password-input.tsx'
import { NewPasswordInput } from '#web/features/auth/new-password-input.tsx'
import { call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { toast } from '#web/ui/toasts.tsx'

const Form = z.object({ currentPassword: CurrentPassword, password: NewPassword })
const AdminForm = z.object({ currentPassword: CurrentPassword, password: AdminPassword })

/** Renders a form to change the password. Users without one, who sign in with a provider, set one by email. */
export function ChangePassword({ hasPassword }: { hasPassword: boolean }) {
  const queryClient = useQueryClient()
  const isAdmin = useUserData().role === 'Admin'
  const form = useForm({
    schema: isAdmin ? AdminForm : Form,
    initialValues: { currentPassword: '', password: '' },
    submit: async (body) => {
      await call(changePassword, { body })
      form.reset()
      void queryClient.invalidateQueries({ queryKey: queryKeyOf(sessions) })
      void toast({ title: t`Password changed`, message: t`You have been signed out on your other devices.` })
    },
  })
  return (
    <section className="card p-5 sm:p-6" aria-labelledby="password">
      <h2 id="password" className="text-lg">{t`Password`}</h2>
      {hasPassword ? (
        <form {...form.props} className="mt-4 space-y-4">
          <CurrentPasswordInput
            label={t`Current password`}
            visibilityToggleButtonProps={{ 'aria-label': t`Show current password` }}
            {...form.field('currentPassword')}
          />
          <NewPasswordInput admin={isAdmin} label={t`New password`} {...form.field('password')} />
          <FormError message={form.submitError} />
          <Button type="submit" variant="default" loading={form.isSubmitting}>{t`Change password`}</Button>
        </form>
      ) : (
        <p className="mt-2 text-dim">
          <Trans>
            Your account has no password.{' '}
            <Link to="/reset" className="link">
              Set a password
            </Link>
          </Trans>
        </p>
      )}
    </section>
  )
}
