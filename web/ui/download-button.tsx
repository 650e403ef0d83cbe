import { Button } from '@mantine/core'
import { useState } from 'react'
import { errorMessage } from '#web/lib/api.ts'
import { localDay } from '#web/lib/format-time.ts'
import { IconDownload } from '#web/ui/icons.ts'
import { toast } from '#web/ui/toasts.tsx'

type Props = {
  label: string
  fileName: string
  /** Adds the day of the download to the name: `payments.csv` is saved as `payments-2026-12-18.csv`. */
  isDated?: boolean
  load: () => Promise<Blob>
  /** The heading of the message when the download fails. */
  failure: string
}

/** Renders a button that downloads a file of the API. */
export function DownloadButton({ label, fileName, isDated = false, load, failure }: Props) {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const url = URL.createObjectURL(await load())
      const link = document.createElement('a')
      link.href = url
      link.download = isDated ? fileName.replace(/\.\w+$/, `-${localDay(Date.now())}$&`) : fileName
      link.click()
      URL.revokeObjectURL(url)
    } catch (error) {
      void toast({ title: failure, message: errorMessage(error), tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="default"
      loading={busy}
      leftSection={<IconDownload size={18} aria-hidden />}
      onClick={() => void save()}
    >
      {label}
    </Button>
  )
}
