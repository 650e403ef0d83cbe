import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  deletePayoutFileProfile,
  type PayoutFileProfile,
  payoutFileProfiles,
} from '#contract/payout-files.ts'
import { ExportablePayoutBatches } from '#web/features/payout-files/exportable-payout-batches.tsx'
import { FIELD_NAMES } from '#web/features/payout-files/field-names.ts'
import { ProfileForm } from '#web/features/payout-files/profile-form.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'
import { IconPlus } from '#web/ui/icons.ts'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders the column profiles of payout files, each with a form to change it. */
export default function PayoutFiles() {
  const { data: profiles } = useSuspenseQuery(queryOf(payoutFileProfiles, {}))
  const [editing, setEditing] = useState<string | null>(null)
  const close = () => setEditing(null)
  const addButton = useFocusRecovery<HTMLButtonElement>(`${editing} ${profiles.length}`)
  return (
    <Screen
      title={t`Payout Files`}
      subtitle={t`The columns of the files that your bank or provider accepts`}
      action={
        <Button
          ref={addButton}
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setEditing('new')}
        >
          {t`New profile`}
        </Button>
      }
    >
      <div className="space-y-4">
        <ExportablePayoutBatches profiles={profiles} />
        <h2 className="pt-4 text-lg">{t`Profiles`}</h2>
        {editing === 'new' && <ProfileForm profile={null} close={close} />}
        {profiles.map((profile) =>
          editing === profile._id ? (
            <ProfileForm key={profile._id} profile={profile} close={close} />
          ) : (
            <ProfileCard key={profile._id} profile={profile} edit={() => setEditing(profile._id)} />
          ),
        )}
      </div>
    </Screen>
  )
}

function ProfileCard({ profile, edit }: { profile: PayoutFileProfile; edit: () => void }) {
  const queryClient = useQueryClient()
  const { _id: id, name, note, columns, changedBy, changedById, changedAt } = profile
  const remove = async () => {
    const confirmed = await confirm({
      title: t`Delete the profile ${name}?`,
      text: t`Files that were made with it stay as they are.`,
      confirmLabel: t`Delete`,
      danger: true,
    })
    if (!confirmed) return
    try {
      await call(deletePayoutFileProfile, { params: { id } })
    } catch (error) {
      await showMessage({ title: t`Could not delete the profile`, text: errorMessage(error), tone: 'error' })
    } finally {
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(payoutFileProfiles) })
    }
  }
  return (
    <section aria-label={name} className="card space-y-3 p-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h3 className="min-w-0 text-lg wrap-anywhere">{name}</h3>
        <div className="flex flex-wrap gap-2">
          <Button variant="default" aria-label={t`Edit ${name}`} onClick={edit}>{t`Edit`}</Button>
          <Button variant="default" c="red" aria-label={t`Delete ${name}`} onClick={() => void remove()}>
            {t`Delete`}
          </Button>
        </div>
      </div>
      {note !== '' && <p className="text-sm wrap-anywhere">{note}</p>}
      <ol className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-2 xl:grid-cols-3">
        {columns.map(({ header, field, text }) => (
          <li key={header} className="min-w-0 wrap-anywhere">
            <span className="font-number">{header}</span>{' '}
            <span className="text-dim">{field === 'fixed' ? `"${text}"` : FIELD_NAMES[field]}</span>
          </li>
        ))}
      </ol>
      <p className="text-xs text-dim">
        {changedBy === null ? (
          t`Default`
        ) : (
          <Trans>
            Changed by <UserLink id={changedById} name={changedBy} />, {{ time: formatDateTime(changedAt) }}
          </Trans>
        )}
      </p>
    </section>
  )
}
