import { Button } from '@mantine/core'
import { useState } from 'react'
import { statementFile } from '#contract/ledger.ts'
import { download, errorMessage } from '#web/lib/api.ts'
import { IconDownload } from '#web/ui/icons.ts'
import { toast } from '#web/ui/toasts.tsx'

/** Saves the whole statement as a CSV file. */
export function DownloadStatement({ email }: { email: string }) {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const address = URL.createObjectURL(await download(statementFile, { params: { email } }))
      const link = document.createElement('a')
      link.href = address
      link.download = `coins-${new Date().toISOString().slice(0, 10)}.csv`
      link.click()
      URL.revokeObjectURL(address)
    } catch (error) {
      void toast({ title: 'The file was not saved', message: errorMessage(error), tone: 'error' })
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
