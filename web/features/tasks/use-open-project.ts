import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { batches } from '#contract/batches.ts'
import { errorMessage } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { showMessage } from '#web/ui/dialogs.tsx'

/**
 * Returns a function that opens the project of a batch's task, where more items are uploaded: a batch cannot be copied as a
 * task, because its texts have variables and its slots belong to the rows of its file.
 */
export function useOpenProject() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async (taskId: string): Promise<void> => {
    try {
      const [opened] = await queryClient.fetchQuery({
        ...queryOf(batches, { query: { task: taskId } }),
        networkMode: 'always',
      })
      if (opened !== undefined) await navigate(`/dashboard/projects/${opened.projectId}`)
    } catch (error) {
      await showMessage({ title: t`Could not open the project`, text: errorMessage(error), tone: 'error' })
    }
  }
}
