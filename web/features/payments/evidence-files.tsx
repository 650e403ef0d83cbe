import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import {
  addDisputeFile,
  type CardDispute,
  cardDispute,
  DISPUTE_FILE_FIELDS,
  DISPUTE_FILE_TYPES,
  DISPUTE_FILES_MAX_BYTES,
  type DisputeFile,
  removeDisputeFile,
} from '#contract/card-disputes.ts'
import { FILE_LABELS } from '#web/features/payments/dispute-texts.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { call, errorMessage, uploadFile } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { showMessage } from '#web/ui/dialogs.tsx'
import { FileButton } from '#web/ui/file-button.tsx'

type Props = { dispute: CardDispute; files: DisputeFile[] }
type Field = (typeof DISPUTE_FILE_FIELDS)[number]

/** Renders the files of the evidence. While it can be submitted, an Admin adds, replaces and removes them. */
export function EvidenceFiles({ dispute, files }: Props) {
  const { transactionId, canRespond } = dispute
  // The button that removes a file is removed with it.
  const section = useFocusRecovery<HTMLElement>(files.length)
  const added = (field: Field) => files.find((file) => file.field === field)
  const fields = DISPUTE_FILE_FIELDS.filter((field) => canRespond || added(field) !== undefined)
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="evidence-files"
      className="card p-5 outline-none sm:p-6"
    >
      <h2 id="evidence-files" className="mb-2 text-lg">{t`Evidence files`}</h2>
      <ul className="divide-y divide-line text-sm">
        <li className="py-3">
          <Link
            className="link"
            to={`/dashboard/paymenthistory/${encodeURIComponent(transactionId)}`}
          >{t`Receipt of the payment`}</Link>
          <p className="text-dim">
            {canRespond ? t`Attached as a PDF file when you submit the evidence.` : receiptState(files)}
          </p>
        </li>
        {fields.map((field) => (
          <li key={field} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <FileState field={field} file={added(field)} />
            {canRespond && <FileActions dispute={dispute} field={field} file={added(field)} />}
          </li>
        ))}
      </ul>
      {canRespond && (
        <p className="mt-2 text-xs text-dim">
          {t`PDF, JPEG or PNG, up to ${{ megabytes: formatNumber(DISPUTE_FILES_MAX_BYTES / 1024 / 1024) }} MB in total.`}
        </p>
      )}
    </section>
  )
}

function receiptState(files: DisputeFile[]): string {
  return files.some(({ field }) => field === 'receipt')
    ? t`Submitted as a PDF file.`
    : t`Not part of the evidence.`
}

function FileState({ field, file }: { field: Field; file: DisputeFile | undefined }) {
  const type = file?.type.split('/')[1]?.toUpperCase()
  const kilobytes = formatNumber(Math.ceil((file?.bytes ?? 0) / 1024))
  const date = file && formatDateTime(file.date)
  return (
    <div className="min-w-0">
      <p>{FILE_LABELS[field]}</p>
      <p className="wrap-anywhere text-dim">
        {file === undefined ? (
          t`No file`
        ) : (
          <Trans>
            {type}, {kilobytes} kB · <UserLink id={file.adminId} name={file.admin ?? ''} />, {date}
          </Trans>
        )}
      </p>
    </div>
  )
}

function FileActions({
  dispute,
  field,
  file,
}: {
  dispute: CardDispute
  field: Field
  file: DisputeFile | undefined
}) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const params = { id: dispute._id, field }
  const run = async (title: string, send: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await send()
    } catch (error) {
      await showMessage({ title, text: errorMessage(error), tone: 'error' })
    } finally {
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(cardDispute) })
      setBusy(false)
    }
  }
  const label = FILE_LABELS[field]
  return (
    <div className="flex flex-wrap gap-3">
      <FileButton
        accept={DISPUTE_FILE_TYPES.join(',')}
        onChange={(chosen) => {
          if (chosen !== null)
            void run(t`Could not upload the file`, () => uploadFile(addDisputeFile, params, 'file', chosen))
        }}
      >
        {(props) => (
          <Button {...props} size="compact-md" variant="default" loading={busy}>
            {file === undefined ? (
              <Trans>
                Choose file<span className="sr-only"> for {label}</span>
              </Trans>
            ) : (
              <Trans>
                Replace file<span className="sr-only"> for {label}</span>
              </Trans>
            )}
          </Button>
        )}
      </FileButton>
      {file !== undefined && (
        <Button
          size="compact-md"
          variant="default"
          disabled={busy}
          onClick={() => void run(t`Could not remove the file`, () => call(removeDisputeFile, { params }))}
        >
          <Trans>
            Remove file<span className="sr-only"> for {label}</span>
          </Trans>
        </Button>
      )}
    </div>
  )
}
