import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Batch } from '#contract/batches.ts'
import { FormError } from '#web/ui/form-error.tsx'
import { formatBytes } from './format-bytes.ts'
import { LabelledProgress } from './progress.tsx'
import { readUploadFile, storeUploadFile } from './upload-file-store.ts'
import { FileDrop } from './upload-form.tsx'
import { startUpload, useUpload } from './uploads.ts'

/** Renders the upload of a batch. One that another page began continues with the file that this browser kept. */
export function UploadProgress({ batch }: { batch: Batch }) {
  const queryClient = useQueryClient()
  const upload = useUpload(batch._id)
  const [isKept, setIsKept] = useState<boolean>()
  const [failure, setFailure] = useState<string | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the batch is opened
  useEffect(() => {
    if (upload !== undefined) return
    let isOpen = true
    void readUploadFile(batch._id).then((file) => {
      if (!isOpen) return
      setIsKept(file !== undefined)
      if (file !== undefined) startUpload(queryClient, batch, file)
    })
    return () => {
      isOpen = false
    }
  }, [batch._id])

  const choose = (file: File | undefined) => {
    if (file === undefined) return
    if (file.name !== batch.fileName || file.size < batch.bytes) {
      return setFailure(t`This is a different file. Choose the original ${{ file: batch.fileName }}.`)
    }
    setFailure(null)
    void storeUploadFile(batch._id, file)
    startUpload(queryClient, batch, file)
  }
  const retry = async () => {
    const file = await readUploadFile(batch._id)
    if (file === undefined) setIsKept(false)
    else startUpload(queryClient, batch, file)
  }

  if (upload === undefined || upload.failure !== null) {
    return (
      <section aria-label={t`Upload`} className="card space-y-5 p-5 sm:p-6">
        <h2 className="text-lg">{t`The upload is not complete`}</h2>
        <FormError message={failure ?? upload?.failure ?? null} />
        {upload !== undefined && isKept !== false && (
          <Button onClick={() => void retry()}>{t`Continue the upload`}</Button>
        )}
        {isKept === false && (
          <>
            <p className="text-sm text-dim">
              {t`${{ size: formatBytes(batch.bytes) }} uploaded. Choose ${{ file: batch.fileName }} again: the upload continues where it stopped.`}
            </p>
            <FileDrop onFile={choose} />
          </>
        )}
      </section>
    )
  }
  return (
    <section aria-label={t`Upload`} className="card space-y-4 p-5 sm:p-6">
      <LabelledProgress label={t`Uploading`} value={upload.sent} total={upload.total} format={formatBytes} />
      <p className="text-sm text-dim" aria-live="polite">
        {upload.isWaiting
          ? t`No connection. The upload continues when the network is back.`
          : t`You can leave this screen. If you close the tab, the upload continues when you open this batch again.`}
      </p>
    </section>
  )
}
