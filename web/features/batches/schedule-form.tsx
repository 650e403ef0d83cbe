import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { type Batch, batch, batches, scheduleBatch } from '#contract/batches.ts'
import { Day } from '#contract/shapes.ts'
import { CostLine } from '#web/features/coins/cost-line.tsx'
import { type ChangeResult, type Close, CostOfAction, DialogForm } from '#web/features/coins/spend-dialog.tsx'
import { CompletionDateField } from '#web/features/tasks/completion-date-field.tsx'
import { localTime, PostAtField } from '#web/features/tasks/post-at-field.tsx'
import { call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { showDialog } from '#web/ui/dialogs.tsx'
import { showFailure } from '#web/ui/show-failure.ts'

const Form = z.object({
  postAt: z.string().check(z.minLength(1, t`Choose a time`)),
  completion_date: z.pipe(z.string(t`Choose a completion date`), Day),
})

/** Returns the actions that set the time at which a checked batch is paid, in a dialog, and that cancel it. */
export function useBatchSchedule() {
  const queryClient = useQueryClient()
  const refresh = () =>
    Promise.all([batch, batches].map((one) => queryClient.invalidateQueries({ queryKey: queryKeyOf(one) })))
  return {
    async schedule(shown: Batch, total: number): Promise<void> {
      const result = await showDialog<ChangeResult>({
        title: t`Schedule posting`,
        content: (close) => <ScheduleForm batch={shown} total={total} close={close} />,
      })
      if (result === 'done') await refresh()
    },

    async cancelSchedule({ _id: id }: Batch): Promise<void> {
      await showFailure(
        t`Could not cancel this`,
        call(scheduleBatch, { params: { id }, body: { scheduled: null } }),
      )
      await refresh()
    },
  }
}

type Props = { batch: Batch; total: number; close: Close }

function ScheduleForm({ batch: { _id: id, scheduled }, total, close }: Props) {
  const form = useForm({
    schema: Form,
    initialValues: {
      postAt: scheduled === null ? '' : localTime(new Date(scheduled.postAt)),
      completion_date: scheduled?.completion_date ?? (null as string | null),
    },
    submit: async ({ postAt, completion_date }) => {
      const body = { scheduled: { postAt: new Date(postAt).toISOString(), completion_date, total } }
      await call(scheduleBatch, { params: { id }, body })
      close('done')
    },
  })
  return (
    <DialogForm form={form} submitLabel={t`Schedule`} close={close}>
      <PostAtField {...form.field('postAt')} />
      <CompletionDateField {...form.field('completion_date')} />
      <CostOfAction total={total}>
        <CostLine label={t`Cost at that time`}>{formatCoins(total)}</CostLine>
      </CostOfAction>
      <p className="text-sm text-dim">{t`No coins are reserved until then. If your balance is too low at that time, the batch is not paid and stays here.`}</p>
    </DialogForm>
  )
}
