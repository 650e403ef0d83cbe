import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { readDraft } from '#web/lib/drafts.ts'
import { useUserData } from '#web/lib/session.tsx'
import { PlainButton } from '#web/ui/button.tsx'
import { UserText } from '#web/ui/user-text.tsx'
import { workDraftKey } from './send-work.ts'

/** Renders what the worker has typed for a task whose form is not shown any more, so that they can copy it. */
export function KeptDraft({ taskId }: { taskId: string }) {
  const { _id } = useUserData()
  const [isCopied, setIsCopied] = useState(false)
  const { submissoin_data: text } = readDraft(workDraftKey(_id, taskId), { submissoin_data: '' })
  if (text.trim() === '') return null
  // Mantine's hook would bring 23 KB to this screen. Where a page may not copy, the text can be selected.
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setIsCopied(true),
      () => {},
    )
  return (
    <section aria-label={t`Your text`} className="mt-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-base">{t`Your text`}</h2>
        <PlainButton variant="default" onClick={() => void copy()}>
          {isCopied ? t`Copied` : t`Copy`}
        </PlainButton>
      </div>
      <UserText className="mt-2">{text}</UserText>
    </section>
  )
}
