import { Switch } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { Role } from '#contract/endpoint.ts'
import { type MailPreferences, mailPreferences, setMailPreferences } from '#contract/mail.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toasts.tsx'

type Option = { kind: keyof MailPreferences; label: string; text: string }

const OPTIONS: Record<Role, Option[]> = {
  Worker: [
    {
      kind: 'workDecided',
      label: 'My work is decided',
      text: 'When a buyer approves or declines what I submitted.',
    },
    { kind: 'payouts', label: 'My withdrawals', text: 'When a withdrawal is paid or declined.' },
  ],
  Buyer: [
    {
      kind: 'workReceived',
      label: 'Work for me to review',
      text: 'When work arrives on my tasks, and before it approves itself.',
    },
  ],
  Admin: [],
}

/** Which mails a person wants. Mails about the account itself always come. */
export function EmailPreferences({ role }: { role: Role }) {
  const queryClient = useQueryClient()
  const { data } = useSuspenseQuery(queryOf(mailPreferences, {}))
  const save = useMutation({
    mutationFn: (preferences: MailPreferences) => call(setMailPreferences, { body: preferences }),
    onMutate: (preferences) => queryClient.setQueryData(queryKeyOf(mailPreferences, {}), preferences),
    onError: (error) => void toast({ message: errorMessage(error), tone: 'error' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeyOf(mailPreferences) }),
  })
  if (OPTIONS[role].length === 0) return null
  return (
    <section aria-labelledby="mail-choices" className="card p-4 sm:p-5">
      <h2 id="mail-choices" className="text-lg">
        Mail
      </h2>
      <p className="mb-4 text-sm text-dim">
        To your confirmed address. Mails about your account always come.
      </p>
      <div className="space-y-4">
        {OPTIONS[role].map(({ kind, label, text }) => (
          <Switch
            key={kind}
            label={label}
            description={text}
            checked={data[kind]}
            onChange={(event) => save.mutate({ ...data, [kind]: event.currentTarget.checked })}
          />
        ))}
      </div>
    </section>
  )
}
