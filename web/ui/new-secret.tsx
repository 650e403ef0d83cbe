import { t } from '@lingui/core/macro'
import { Button, CopyButton } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

type Props = {
  title: string
  secret: string
  copyLabel: string
  /** What to do with it. */
  children: ReactNode
  onDone: () => void
}

/** Renders a new secret, which is shown only once, and moves the focus to it. */
export function NewSecret({ title, secret, copyLabel, children, onDone }: Props) {
  const card = useRef<HTMLDivElement>(null)
  // The form that had the focus is replaced by the secret.
  useEffect(() => card.current?.focus(), [])
  return (
    <div ref={card} tabIndex={-1} className="card space-y-4 p-5 sm:p-6" role="status">
      <h2 className="text-lg wrap-anywhere">{title}</h2>
      {children}
      <p className="rounded-md border border-line p-4 font-mono text-sm break-all">{secret}</p>
      <div className="flex flex-wrap gap-3">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t`Copied` : copyLabel}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>{t`I have saved it`}</Button>
      </div>
    </div>
  )
}
