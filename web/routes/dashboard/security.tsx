import { t } from '@lingui/core/macro'
import '#web/features/auth/auth-card.css'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { identity } from '#contract/auth.ts'
import { ChangeEmail } from '#web/features/auth/change-email.tsx'
import { ChangePassword } from '#web/features/auth/change-password.tsx'
import { Sessions } from '#web/features/auth/sessions.tsx'
import { TwoStepSignIn } from '#web/features/auth/two-step-sign-in.tsx'
import { AccountActivity } from '#web/features/security-log/account-activity.tsx'
import { queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Renders the user's sign-in email, password, sessions and activity. */
export default function Security() {
  const { data } = useSuspenseQuery(queryOf(identity, {}))
  const isAdmin = useUserData().role === 'Admin'
  return (
    <Screen title={t`Account Security`} subtitle={t`How you sign in, and where`} width="narrow">
      <div className="space-y-5">
        <ChangeEmail identity={data} />
        <ChangePassword hasPassword={data.hasPassword} />
        <TwoStepSignIn />
        <Sessions />
        {!isAdmin && (
          <section className="card p-5 sm:p-6" aria-labelledby="api-keys">
            <h2 id="api-keys" className="text-lg">{t`API keys and webhooks`}</h2>
            <p className="mt-1 text-dim">{t`Keys let your own systems use the API in your name.`}</p>
            <Link to="/dashboard/api-keys" className="link inline-flex min-h-11 items-center">
              {t`Manage API keys`}
            </Link>
            <p className="mt-3 text-dim">{t`Webhooks send your account's events to your own systems.`}</p>
            <Link to="/dashboard/webhooks" className="link inline-flex min-h-11 items-center">
              {t`Manage webhooks`}
            </Link>
          </section>
        )}
        <AccountActivity />
      </div>
    </Screen>
  )
}
