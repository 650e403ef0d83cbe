import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  /** Without it there is no Cancel button. */
  onCancel?: () => void
  children?: ReactNode
}

/** Renders the row of buttons at the end of a form: Cancel, and those that submit. */
export function FormActions({ onCancel, children }: Props) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      {onCancel && <Button variant="default" onClick={onCancel}>{t`Cancel`}</Button>}
      {children}
    </div>
  )
}
