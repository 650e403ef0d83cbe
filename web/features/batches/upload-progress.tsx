import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Batch } from '#contract/batches.ts'
import { project } from '#contract/projects.ts'
import { formatBytes } from '#web/lib/dashboard-format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { FormError } from '#web/ui/form-error.tsx'
import { LabelledProgress } from './progress.tsx'
import { uploadFiles } from './upload-file-store.ts'
import { FileChoice } from './upload-form.tsx'
import { startUpload, useBatchUpload } from './uploads.ts'

/** Renders the upload of a batch. One that another page began continues with the file that this browser kept. */
export function UploadProgress({ batch }: { batch: Batch }) {
  const queryClient = useQueryClient()
  const upload = useBatchUpload(batch._id)
  const [isKept, setIsKept] = useState<boolean>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the batch is opened
  useEffect(() => {
    if (upload !== undefined) return
    let isOpen = true
    void uploadFiles.get(batch._id).then((file) => {
      if (!isOpen) return
      setIsKept(file !== undefined)
      if (file !== undefined) startUpload(queryClient, batch, file)
    })
    return () => {
      isOpen = false
    }
  }, [batch._id])

  const retry = async () => {
    const file = await uploadFiles.get(batch._id)
    if (file === undefined) setIsKept(false)
    else startUpload(queryClient, batch, file)
  }

  if (upload === undefined || upload.failure !== null) {
    return (
      <section aria-label={t`Upload`} className="card space-y-5 p-5 sm:p-6">
        <h2 className="text-lg">{t`The upload is not complete`}</h2>
        <FormError message={upload?.failure ?? null} />
        {upload !== undefined && isKept !== false && (
          <Button onClick={() => void retry()}>{t`Continue the upload`}</Button>
        )}
        {isKept === false && <FileAgain batch={batch} />}
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

/**
 * Renders the choice of the file that this browser has not kept. Its heading may have been rewritten, so that the bytes of
 * the server are not those of the file: every chunk is sent again. It is not kept, because the chunks after an interruption
 * would be of the first upload.
 */
function FileAgain({ batch }: { batch: Batch }) {
  const queryClient = useQueryClient()
  const { data } = useSuspenseQuery(queryOf(project, { params: { id: batch.projectId } }))
  return (
    <>
      <p className="text-sm text-dim">
        {t`This browser has not kept your file. Choose ${{ file: batch.fileName }} again. It is uploaded from the beginning.`}
      </p>
      <FileChoice
        project={data}
        fileName={batch.fileName}
        send={async (content) => startUpload(queryClient, { _id: batch._id, bytes: 0 }, content)}
      />
    </>
  )
}
