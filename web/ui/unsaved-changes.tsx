import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { deleteDraft, readDraft } from '#web/lib/drafts.ts'

type Props = {
  draftKey: string
  /** Says that the form has changes that are not saved. */
  text: string
  onDiscard: () => void
}

/** Renders a notice when this browser has changes of a form that were not saved to the account. */
export function UnsavedChanges({ draftKey, text, onDiscard }: Props) {
  const [hasUnsaved] = useState(() => readDraft<unknown>(draftKey, null) !== null)
  const discard = () => {
    deleteDraft(draftKey)
    onDiscard()
  }
  if (!hasUnsaved) return null
  return (
    <p className="card mb-5 flex flex-wrap items-center justify-between gap-3 px-5 py-3 text-sm">
      {text}
      <Button variant="default" onClick={discard}>{t`Discard them`}</Button>
    </p>
  )
}
