import '#web/features/auth/auth-card.css'
import { useSuspenseQuery } from '@tanstack/react-query'
import { identity } from '#contract/auth.ts'
import { ChangeEmail } from '#web/features/auth/change-email.tsx'
import { ChangePassword } from '#web/features/auth/change-password.tsx'
import { Sessions } from '#web/features/auth/sessions.tsx'
import { TwoStepSignIn } from '#web/features/auth/two-step-sign-in.tsx'
import { AccountActivity } from '#web/features/security-log/account-activity.tsx'
import { queryOf } from '#web/lib/queries.ts'
import { Screen } from '#web/ui/screen.tsx'

/** Renders the user's sign-in email, password, sessions and activity. */
export default function Security() {
  const { data } = useSuspenseQuery(queryOf(identity, {}))
  return (
    <Screen title="Account Security" subtitle="How you sign in, and where" width="narrow">
      <div className="space-y-5">
        <ChangeEmail identity={data} />
        <ChangePassword hasPassword={data.hasPassword} />
        <TwoStepSignIn />
        <Sessions />
        <AccountActivity />
      </div>
    </Screen>
  )
}
