import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Button, NativeSelect } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  exportPayoutBatch,
  type PayoutFileProfile,
  payoutFileContent,
  payoutFilesOfBatch,
} from '#contract/payout-files.ts'
import { type PayoutBatch, payoutBatch } from '#contract/payouts.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { call, download, errorMessage } from '#web/lib/api.ts'
import { formatCents, formatTaka } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { invalidateEndpoints, queryOf } from '#web/lib/queries.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'
import { DownloadButton } from '#web/ui/download-button.tsx'

type Props = { batch: PayoutBatch; profiles: readonly PayoutFileProfile[] }

/** Renders the files of a batch, and the choice of a profile while a new file can be made. */
export function PayoutBatchFiles({ batch, profiles }: Props) {
  const queryClient = useQueryClient()
  const input = { params: { id: batch._id } }
  const { data: files } = useSuspenseQuery(queryOf(payoutFilesOfBatch, input))
  const [chosenId, setChosenId] = useState('')
  // The chosen profile may have been deleted.
  const profileId = (profiles.find(({ _id }) => _id === chosenId) ?? profiles[0])?._id ?? ''
  const [busy, setBusy] = useState(false)
  const stopped = files[0]?.stopped ?? []
  const [count, references] = [stopped.length, stopped.join(', ')]
  const isExportable =
    batch.provider === null && stopped.length === 0 && ['released', 'exported'].includes(batch.state)

  const makeFile = async () => {
    const confirmed =
      files.length === 0 ||
      (await confirm({
        title: t`Create another file?`,
        text: t`This payout batch already has a file. Uploading two files pays everyone twice.`,
        confirmLabel: t`Create file`,
        danger: true,
      }))
    if (!confirmed) return
    setBusy(true)
    try {
      await call(exportPayoutBatch, { ...input, body: { profileId } })
    } catch (error) {
      await showMessage({ title: t`Could not create the file`, text: errorMessage(error), tone: 'error' })
    } finally {
      await invalidateEndpoints(queryClient, [payoutFilesOfBatch, payoutBatch])
      setBusy(false)
    }
  }

  return (
    <div className="space-y-4">
      {stopped.length > 0 && (
        <p role="alert" className="text-sm text-danger">
          <Trans>
            <Plural
              value={count}
              one="# payout in this file was stopped after it was made:"
              other="# payouts in this file were stopped after it was made:"
            />{' '}
            <span className="wrap-anywhere">{references}</span>.{' '}
            <Plural
              value={count}
              one="If you have not uploaded the file, delete its row from it first, and mark it as failed."
              other="If you have not uploaded the file, delete their rows from it first, and mark them as failed."
            />
          </Trans>
        </p>
      )}
      {files.map((file) => (
        <div key={file._id} className="flex flex-wrap items-center justify-between gap-3">
          <div className="min-w-0 text-sm">
            <p className="font-number wrap-anywhere">
              {file.profile}: {plural(file.rows, { one: '# row', other: '# rows' })},{' '}
              {formatCents(file.cents)}
              {file.poisha !== null && `, ${formatTaka(file.poisha)}`}
            </p>
            <p className="text-xs break-all text-dim">
              <UserLink id={file.exportedById} name={file.exportedBy} />, {formatDateTime(file.exportedAt)} ·
              SHA-256 {file.sha256}
            </p>
          </div>
          <DownloadButton
            label={t`Download CSV`}
            fileName={`payouts-${batch._id.slice(0, 8)}-${file.profile}.csv`}
            load={() => download(payoutFileContent, { params: { id: file._id } })}
            failure={t`Could not download the file`}
          />
        </div>
      ))}
      {isExportable && profiles.length > 0 && (
        <div className="flex flex-wrap items-end gap-3">
          <NativeSelect
            label={t`Columns`}
            data={profiles.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={profileId}
            onChange={(event) => setChosenId(event.currentTarget.value)}
          />
          <Button variant="default" loading={busy} onClick={() => void makeFile()}>{t`Create file`}</Button>
        </div>
      )}
    </div>
  )
}
