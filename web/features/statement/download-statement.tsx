import { Button } from '@mantine/core'
import { useState } from 'react'
import { statementFile } from '#contract/ledger.ts'
import { download, errorMessage } from '#web/lib/api.ts'
import { IconDownload } from '#web/ui/icons.ts'
import { toast } from '#web/ui/toasts.tsx'

/** Renders a button that downloads the whole statement as a CSV file. */
export function DownloadStatement({ email }: { email: string }) {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const url = URL.createObjectURL(await download(statementFile, { params: { email } }))
      const link = document.createElement('a')
      link.href = url
      link.download = `coins-${new Date().toISOString().slice(0, 10)}.csv`
      link.click()
      URL.revokeObjectURL(url)
    } catch (error) {
      void toast({ title: 'Could not download the statement', message: errorMessage(error), tone: 'error' })
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
      Download CSV
    </Button>
  )
}
