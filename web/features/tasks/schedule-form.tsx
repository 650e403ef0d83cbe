import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { type ListedTaskDraft, scheduleTaskDraft } from '#contract/task-drafts.ts'
import { CostLine } from '#web/features/coins/cost-line.tsx'
import { type Close, CostOfAction, DialogForm } from '#web/features/coins/spend-dialog.tsx'
import { useSite } from '#web/features/site/site.ts'
import { localTime, PostAtField } from '#web/features/tasks/post-at-field.tsx'
import { calculateCost } from '#web/features/tasks/task-cost.ts'
import { call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins } from '#web/lib/format.ts'

const Form = z.object({
  postAt: z.string().check(z.minLength(1, t`Choose a time`)),
})

/** Renders the form that sets the time at which a draft is posted, in the time zone of the browser. */
export function ScheduleForm({ draft, close }: { draft: ListedTaskDraft; close: Close }) {
  const feePercent = useSite()?.feePercent ?? 0
  const form = useForm({
    schema: Form,
    initialValues: { postAt: draft.postAt === null ? '' : localTime(new Date(draft.postAt)) },
    submit: async ({ postAt }) => {
      const body = { postAt: new Date(postAt).toISOString() }
      await call(scheduleTaskDraft, { params: { id: draft._id }, body })
      close('done')
    },
  })
  const cost = calculateCost(draft.required_workers, draft.payable_amount, feePercent)?.total ?? 0
  return (
    <DialogForm form={form} submitLabel={t`Schedule`} close={close}>
      <PostAtField {...form.field('postAt')} />
      <CostOfAction total={cost}>
        <CostLine label={t`Cost at that time`}>{formatCoins(cost)}</CostLine>
      </CostOfAction>
      <p className="text-sm text-dim">{t`No coins are reserved until then. If your balance is too low at that time, the task is not posted and stays a draft.`}</p>
    </DialogForm>
  )
}
