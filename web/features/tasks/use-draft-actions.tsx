import { t } from '@lingui/core/macro'
import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { TITLE_MAX } from '#contract/product.ts'
import {
  DraftRename,
  deleteTaskDraft,
  type ListedTaskDraft,
  renameTaskDraft,
  scheduleTaskDraft,
  taskDrafts,
} from '#contract/task-drafts.ts'
import { type ChangeResult, type Close, DialogForm } from '#web/features/coins/spend-dialog.tsx'
import { nameOf } from '#web/features/tasks/draft-name.ts'
import { ScheduleForm } from '#web/features/tasks/schedule-form.tsx'
import { call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { confirm, showDialog } from '#web/ui/dialogs.tsx'
import { showFailure } from '#web/ui/show-failure.ts'

/** Returns what can be done with a draft or a template in the list. Each asks in a dialog first. */
export function useDraftActions() {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeyOf(taskDrafts) })
  return {
    async rename(draft: ListedTaskDraft): Promise<void> {
      const result = await showDialog<ChangeResult>({
        title: draft.template ? t`Rename template` : t`Rename draft`,
        content: (close) => <RenameForm draft={draft} close={close} />,
      })
      if (result === 'done') await refresh()
    },

    async schedule(draft: ListedTaskDraft): Promise<void> {
      const result = await showDialog<ChangeResult>({
        title: t`Schedule posting`,
        content: (close) => <ScheduleForm draft={draft} close={close} />,
      })
      if (result === 'done') await refresh()
    },

    async cancelSchedule(draft: ListedTaskDraft): Promise<void> {
      await showFailure(
        t`Could not cancel this`,
        call(scheduleTaskDraft, { params: { id: draft._id }, body: { postAt: null } }),
      )
      await refresh()
    },

    async remove(draft: ListedTaskDraft): Promise<void> {
      const confirmed = await confirm({
        title: t`Delete “${{ name: nameOf(draft) }}”?`,
        text: t`Tasks that were posted from it stay.`,
        confirmLabel: t`Delete`,
        danger: true,
      })
      if (!confirmed) return
      await showFailure(t`Could not delete this`, call(deleteTaskDraft, { params: { id: draft._id } }))
      await refresh()
    },
  }
}

function RenameForm({ draft, close }: { draft: ListedTaskDraft; close: Close }) {
  const form = useForm({
    schema: DraftRename,
    initialValues: { name: draft.name || (draft.task_title ?? '') },
    submit: async (body) => {
      await call(renameTaskDraft, { params: { id: draft._id }, body })
      close('done')
    },
  })
  return (
    <DialogForm form={form} submitLabel={t`Rename`} close={close}>
      <TextInput label={t`Name`} required data-autofocus maxLength={TITLE_MAX} {...form.field('name')} />
    </DialogForm>
  )
}
