import { t } from '@lingui/core/macro'
import { Switch } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { Role } from '#contract/endpoint.ts'
import { type MailPreferences, mailPreferences, setMailPreferences } from '#contract/mail.ts'
import type { User } from '#contract/users.ts'
import { DeviceSwitch } from '#web/features/push/device-switch.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useReplaceMutation } from '#web/lib/use-replace-mutation.ts'
import { toast } from '#web/ui/toasts.tsx'

type Option = { kind: keyof MailPreferences; label: string; text: string }

const REVIEWS: Option = {
  kind: 'workReceived',
  label: t`Reviews of rejections`,
  text: t`When a review is assigned to you, and before its deadline.`,
}
const FREEZES: Option = {
  kind: 'payouts',
  label: t`Account freezes`,
  text: t`When your account is frozen, and when the freeze ends.`,
}
const OPTIONS: Record<Role, Option[]> = {
  Worker: [
    {
      kind: 'workDecided',
      label: t`Review results`,
      text: t`When your work is approved, rejected or needs a revision, when you receive a bonus, when a rejection of your work goes to a reviewer or the reviewer decides, and before your deadlines to revise or appeal.`,
    },
    {
      kind: 'payouts',
      label: t`Withdrawals and freezes`,
      text: t`When a withdrawal is paid or declined, when its account number is corrected, and when your account or a withdrawal is frozen or released.`,
    },
  ],
  Buyer: [
    {
      kind: 'workReceived',
      label: t`Submissions and appeals`,
      text: t`When work on your tasks is submitted or revised, when a rejection is appealed, upheld or overturned, when a review is assigned to you, and before deadlines.`,
    },
    FREEZES,
  ],
  Admin: [REVIEWS, FREEZES],
}

/** Returns a switch for each category of which the user can receive emails. */
function optionsOf({ role, reviewer }: User): Option[] {
  return role === 'Worker' && reviewer ? [...OPTIONS.Worker, REVIEWS] : OPTIONS[role]
}

/** Renders switches for the optional emails. Emails about the account's security cannot be switched off. */
export function EmailPreferences({ user }: { user: User }) {
  const { data } = useSuspenseQuery(queryOf(mailPreferences, {}))
  const save = useReplaceMutation({
    read: mailPreferences,
    send: (preferences) => call(setMailPreferences, { body: preferences }),
    onError: (error) => void toast({ message: errorMessage(error), tone: 'error' }),
  })
  return (
    <section aria-labelledby="mail-choices" className="card p-4 sm:p-5">
      <h2 id="mail-choices" className="text-lg">{t`Email notifications`}</h2>
      <p className="mb-4 text-sm text-dim">{t`Sent to your verified email address. You always receive emails about your account.`}</p>
      <div className="space-y-4">
        {optionsOf(user).map(({ kind, label, text }) => (
          <Switch
            key={kind}
            classNames={{ body: 'min-w-0', labelWrapper: 'min-w-0' }}
            label={label}
            description={text}
            checked={data[kind]}
            onChange={({ currentTarget: { checked } }) =>
              save.mutate((preferences) => ({ ...preferences, [kind]: checked }))
            }
          />
        ))}
        {user.role !== 'Admin' && <DeviceSwitch userId={user._id} role={user.role} />}
      </div>
    </section>
  )
}
