import { t } from '@lingui/core/macro'
import type { ReactNode, Ref } from 'react'
import { PlainButton } from '#web/ui/button.tsx'
import { UserText } from '#web/ui/user-text.tsx'

type Props = {
  text: string
  /** The status, which takes the focus of the form that it replaces. */
  status: Ref<HTMLParagraphElement>
  onEdit: () => void
  /** Further buttons beside `Edit`. */
  children?: ReactNode
}

/** Renders work that waits for the network, in the place of its form. */
export function WaitingWork({ text, status, onEdit, children }: Props) {
  return (
    <div className="space-y-4">
      <p ref={status} role="status" tabIndex={-1} className="font-nav outline-none">
        {t`Waiting to be sent`}
      </p>
      <UserText>{text}</UserText>
      <div className="flex flex-wrap justify-end gap-3">
        <PlainButton variant="default" onClick={onEdit}>
          {t`Edit`}
        </PlainButton>
        {children}
      </div>
    </div>
  )
}
