import { Button, CopyButton } from '@mantine/core'

/** Renders a button that copies a value; `name` says what it is. */
export function CopyValue({ value, name }: { value: string; name: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button variant="default" size="xs" className="shrink-0" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
          <span className="sr-only"> {name}</span>
        </Button>
      )}
    </CopyButton>
  )
}
