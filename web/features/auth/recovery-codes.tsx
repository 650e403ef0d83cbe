import { t } from '@lingui/core/macro'
import { Button, CopyButton } from '@mantine/core'
import { DownloadButton } from '#web/ui/download-button.tsx'

/** Renders new recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`
  return (
    <div className="mt-4 space-y-4" role="status">
      <p>{t`Save these recovery codes now. They are shown only once. Each of them signs you in once when you do not have your phone or passkey.`}</p>
      <ul className="grid gap-x-6 gap-y-1 rounded-md border border-line p-4 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t`Copied` : t`Copy`}
            </Button>
          )}
        </CopyButton>
        <DownloadButton
          label={t`Download`}
          fileName="recovery-codes.txt"
          load={async () => new Blob([text], { type: 'text/plain' })}
          failure={t`Could not download`}
        />
        <Button onClick={onDone}>{t`I have saved them`}</Button>
      </div>
    </div>
  )
}
