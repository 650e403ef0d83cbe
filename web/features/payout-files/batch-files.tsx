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
import { formatCents, formatTaka, pluralize } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'
import { DownloadButton } from '#web/ui/download-button.tsx'

type Props = { batch: PayoutBatch; profiles: readonly PayoutFileProfile[] }

/** Renders the files of a batch, and the choice of a profile while a new file can be made. */
export function BatchFiles({ batch, profiles }: Props) {
  const queryClient = useQueryClient()
  const input = { params: { id: batch._id } }
  const { data: files } = useSuspenseQuery(queryOf(payoutFilesOfBatch, input))
  const [profileId, setProfileId] = useState(profiles[0]?._id ?? '')
  const [busy, setBusy] = useState(false)
  const stopped = files[0]?.stopped ?? []
  const isExportable =
    batch.provider === null && stopped.length === 0 && ['released', 'exported'].includes(batch.state)

  const makeFile = async () => {
    const confirmed =
      files.length === 0 ||
      (await confirm({
        title: 'Make another file?',
        text: 'This batch already has a file. Uploading two files pays everyone twice.',
        confirmLabel: 'Make file',
        danger: true,
      }))
    if (!confirmed) return
    setBusy(true)
    try {
      await call(exportPayoutBatch, { ...input, body: { profileId } })
    } catch (error) {
      await showMessage({ title: 'Could not make the file', text: errorMessage(error), tone: 'error' })
    } finally {
      for (const endpoint of [payoutFilesOfBatch, payoutBatch])
        await queryClient.invalidateQueries({ queryKey: queryKeyOf(endpoint) })
      setBusy(false)
    }
  }

  return (
    <div className="space-y-4">
      {stopped.length > 0 && (
        <p role="alert" className="text-sm text-danger">
          {pluralize(stopped.length, 'payout')} in this file {stopped.length === 1 ? 'was' : 'were'} stopped
          after it was made: <span className="wrap-anywhere">{stopped.join(', ')}</span>. If you have not
          uploaded the file, delete {stopped.length === 1 ? 'its row' : 'their rows'} from it first, and mark{' '}
          {stopped.length === 1 ? 'it' : 'them'} as failed.
        </p>
      )}
      {files.map((file) => (
        <div key={file._id} className="flex flex-wrap items-center justify-between gap-3">
          <div className="min-w-0 text-sm">
            <p className="font-number wrap-anywhere">
              {file.profile}: {pluralize(file.rows, 'row')}, {formatCents(file.cents)}
              {file.poisha !== null && `, ${formatTaka(file.poisha)}`}
            </p>
            <p className="text-xs break-all text-dim">
              <UserLink id={file.exportedById} name={file.exportedBy} />, {formatDateTime(file.exportedAt)} ·
              SHA-256 {file.sha256}
            </p>
          </div>
          <DownloadButton
            label="Download CSV"
            fileName={`payouts-${batch._id.slice(0, 8)}-${file.profile}.csv`}
            load={() => download(payoutFileContent, { params: { id: file._id } })}
            failure="Could not download the file"
          />
        </div>
      ))}
      {isExportable && profiles.length > 0 && (
        <div className="flex flex-wrap items-end gap-3">
          <NativeSelect
            label="Columns"
            data={profiles.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={profileId}
            onChange={(event) => setProfileId(event.currentTarget.value)}
          />
          <Button
            variant={files.length === 0 ? 'filled' : 'default'}
            loading={busy}
            onClick={() => void makeFile()}
          >
            Make file
          </Button>
        </div>
      )}
    </div>
  )
}
