import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useNextTask } from '#web/features/tasks/use-next-task.ts'
import { LinkButton, PlainButton } from '#web/ui/button.tsx'

/** Renders the way from a task to the next one of its list; to the list itself after the last one. */
export function NextTask({ taskId }: { taskId: string }) {
  const { hasNext, listPath, open } = useNextTask(taskId)
  const [isOpening, setIsOpening] = useState(false)
  if (!hasNext) return <LinkButton to={listPath}>{t`Back to tasks`}</LinkButton>
  return (
    <PlainButton
      busy={isOpening}
      onClick={() => {
        setIsOpening(true)
        void open()
      }}
    >
      {t`Next task`}
    </PlainButton>
  )
}
