import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { taskOfSubmission } from '#contract/submissions.ts'
import { errorMessage } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { UserText } from '#web/ui/user-text.tsx'

/** Renders a button that shows the text of the task as it was when the work was submitted. */
export function TaskText({ submissionId, of }: { submissionId: string; of?: string }) {
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
        {isOpen ? 'Hide task text' : 'Show task text'}
        {of && <span className="sr-only"> of the work by {of}</span>}
      </button>
      {isOpen && error && <p className="text-sm text-danger">{errorMessage(error)}</p>}
      {isOpen && data && (
        <section aria-label="Task text" className="mt-1 rounded-control border border-line px-4 py-3 text-sm">
          {!data.current && (
            <p className="mb-3 text-dim">
              This is the text that the work was made for. The task was edited afterwards.
            </p>
          )}
          <h3 className="text-base">{data.task_title}</h3>
          <UserText className="mt-1">{data.task_detail}</UserText>
          <h4 className="mt-3 font-number">What to submit</h4>
          <UserText className="mt-1">{data.submission_info}</UserText>
        </section>
      )}
    </div>
  )
}
