import { t } from '@lingui/core/macro'
import { Switch } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { Role } from '#contract/endpoint.ts'
import { type MailPreferences, mailPreferences, setMailPreferences } from '#contract/mail.ts'
import { DeviceSwitch } from '#web/features/push/device-switch.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useReplaceMutation } from '#web/lib/use-replace-mutation.ts'
import { toast } from '#web/ui/toasts.tsx'

type Option = { kind: keyof MailPreferences; label: string; text: string }

const OPTIONS: Record<Role, Option[]> = {
  Worker: [
    {
      kind: 'workDecided',
      label: t`Review results`,
      text: t`When a buyer approves or rejects your work.`,
    },
    { kind: 'payouts', label: t`Withdrawals`, text: t`When a withdrawal is paid or declined.` },
  ],
  Buyer: [
    {
      kind: 'workReceived',
      label: t`Submissions to review`,
      text: t`When work is submitted to your tasks, and before it is approved automatically.`,
    },
  ],
  Admin: [],
}

/** Renders switches for the optional emails. Emails about the account's security cannot be switched off. */
export function EmailPreferences({ role, email }: { role: Role; email: string }) {
  const { data } = useSuspenseQuery(queryOf(mailPreferences, {}))
  const save = useReplaceMutation({
    read: mailPreferences,
    send: (preferences: MailPreferences) => call(setMailPreferences, { body: preferences }),
    onError: (error) => void toast({ message: errorMessage(error), tone: 'error' }),
  })
  if (OPTIONS[role].length === 0) return null
  return (
    <section aria-labelledby="mail-choices" className="card p-4 sm:p-5">
      <h2 id="mail-choices" className="text-lg">{t`Email notifications`}</h2>
      <p className="mb-4 text-sm text-dim">{t`Sent to your verified email address. You always receive emails about your account.`}</p>
      <div className="space-y-4">
        {OPTIONS[role].map(({ kind, label, text }) => (
          <Switch
            key={kind}
            classNames={{ body: 'min-w-0', labelWrapper: 'min-w-0' }}
            label={label}
            description={text}
            checked={data[kind]}
            onChange={(event) => save.mutate({ ...data, [kind]: event.currentTarget.checked })}
          />
        ))}
        <DeviceSwitch email={email} />
      </div>
    </section>
  )
}
