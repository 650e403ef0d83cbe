import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { taskOfSubmission } from '#contract/submissions.ts'
import { errorMessage } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { UserText } from '#web/ui/user-text.tsx'

/** Renders a button that shows the text of the task as it was when the work was submitted. */
export function TaskText({ submissionId, of: author }: { submissionId: string; of?: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const { data, error } = useQuery({
    ...queryOf(taskOfSubmission, { params: { id: submissionId } }),
    enabled: isOpen,
  })
  return (
    <div className="mt-2">
      <button
        type="button"
        className="link min-h-8 text-sm"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ToggleLabel isOpen={isOpen} author={author} />
      </button>
      {isOpen && error && <p className="text-sm text-danger">{errorMessage(error)}</p>}
      {isOpen && data && (
        <section
          aria-label={t`Task text`}
          className="mt-1 rounded-control border border-line px-4 py-3 text-sm"
        >
          {!data.current && (
            <p className="mb-3 text-dim">
              {t`This is the text that the work was made for. The task was edited afterwards.`}
            </p>
          )}
          <h3 className="text-base">{data.task_title}</h3>
          <UserText className="mt-1">{data.task_detail}</UserText>
          <h4 className="mt-3 font-number">{t`What to submit`}</h4>
          <UserText className="mt-1">{data.submission_info}</UserText>
        </section>
      )}
    </div>
  )
}

function ToggleLabel({ isOpen, author }: { isOpen: boolean; author: string | undefined }) {
  if (!author) return isOpen ? t`Hide task text` : t`Show task text`
  return isOpen ? (
    <Trans>
      Hide task text<span className="sr-only"> of the work by {author}</span>
    </Trans>
  ) : (
    <Trans>
      Show task text<span className="sr-only"> of the work by {author}</span>
    </Trans>
  )
}
