import { t } from '@lingui/core/macro'
import { statementFile } from '#contract/ledger.ts'
import { download } from '#web/lib/api.ts'
import { DownloadButton } from '#web/ui/download-button.tsx'

/** Renders a button that downloads the whole statement as a CSV file. */
export function DownloadStatement({ email }: { email: string }) {
  return (
    <DownloadButton
      label={t`Download CSV`}
      fileName="coins.csv"
      isDated
      load={() => download(statementFile, { params: { email } })}
      failure={t`Could not download the statement`}
    />
  )
}
