import { Button, CopyButton } from '@mantine/core'

/** Renders the secret of a new API key, which is shown only once. */
export function NewSecret({ name, secret, onDone }: { name: string; secret: string; onDone: () => void }) {
  return (
    <div className="card space-y-4 p-5 sm:p-6" role="status">
      <h2 className="text-lg wrap-anywhere">{name} is ready</h2>
      <p>Copy the key now and store it like a password. It is shown only once.</p>
      <p className="rounded-md border border-line p-4 font-mono text-sm break-all">{secret}</p>
      <div className="flex flex-wrap gap-3">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy key'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>I have saved it</Button>
      </div>
    </div>
  )
}
