import { t } from '@lingui/core/macro'
import { ActionIcon, Button, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '#web/ui/icons.ts'

type Props = { value: string; name: string }

/** Renders a button that copies a value; `name` says what it is. */
export function CopyValue({ value, name }: Props) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="xs"
          className="shrink-0 print:hidden"
          aria-label={copied ? t`Copied ${name}` : t`Copy ${name}`}
          onClick={copy}
        >
          {copied ? t`Copied` : t`Copy`}
        </Button>
      )}
    </CopyButton>
  )
}

/**
 * Renders a value that is typed or pasted elsewhere, such as an account number or a transaction id, with a copy button. An amount is
 * copied without its currency.
 */
export function CopyableText({ value, name, copied: text = value }: Props & { copied?: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1 align-middle">
      <span className="min-w-0 wrap-anywhere">{value}</span>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            className="shrink-0 print:hidden"
            variant="subtle"
            color="gray"
            size={28}
            title={copied ? t`Copied` : t`Copy`}
            aria-label={copied ? t`Copied ${name}` : t`Copy ${name}`}
            onClick={copy}
          >
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </span>
  )
}
