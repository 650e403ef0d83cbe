import { Button, CopyButton } from '@mantine/core'

type Props = { title: string; note?: string; secret: string; onDone: () => void }

/** Renders the secret of a webhook endpoint, which is shown only once. */
export function WebhookSecret({ title, note, secret, onDone }: Props) {
  return (
    <div className="card space-y-4 p-5 sm:p-6" role="status">
      <h2 className="text-lg wrap-anywhere">{title}</h2>
      <p>
        Copy the secret now and store it like a password. Your system verifies our signatures with it. It is
        shown only once.
      </p>
      {note !== undefined && <p className="text-dim">{note}</p>}
      <p className="rounded-md border border-line p-4 font-mono text-sm break-all">{secret}</p>
      <div className="flex flex-wrap gap-3">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy secret'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>I have saved it</Button>
      </div>
    </div>
  )
}
