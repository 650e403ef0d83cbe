import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Submission } from '#contract/submissions.ts'
import { formatNumber } from '#web/lib/format.ts'
import { SubmittedItem } from './submitted-item.tsx'

/** Renders a button that shows the item which a submission in a list is about, with its answers. */
export function ItemOfRow({ submission }: { submission: Submission }) {
  const { _id, item, submissoin_data } = submission
  const [isOpen, setIsOpen] = useState(false)
  if (item === null) return null
  const number = formatNumber(item)
  return (
    <>
      <button
        type="button"
        className="link min-h-8 text-sm"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? t`Hide item ${number}` : t`Show item ${number}`}
      </button>
      {isOpen && <SubmittedItem submissionId={_id} number={item} text={submissoin_data} />}
    </>
  )
}
