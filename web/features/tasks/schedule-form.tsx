import { t } from '@lingui/core/macro'
import { TextInput } from '@mantine/core'
import * as z from 'zod/mini'
import { type ListedTaskDraft, SCHEDULE_DAYS_MAX, scheduleTaskDraft } from '#contract/task-drafts.ts'
import { CostLine } from '#web/features/coins/cost-line.tsx'
import { type Close, CostOfAction, DialogForm } from '#web/features/coins/spend-dialog.tsx'
import { useSite } from '#web/features/site/site.ts'
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
  const now = Date.now()
  return (
    <DialogForm form={form} submitLabel={t`Schedule`} close={close}>
      <TextInput
        label={t`Post at`}
        description={t`Your local time (${{ timeZone: timeZone() }})`}
        type="datetime-local"
        required
        data-autofocus
        min={localTime(new Date(now))}
        max={localTime(new Date(now + SCHEDULE_DAYS_MAX * 86_400_000))}
        {...form.field('postAt')}
      />
      <CostOfAction total={cost}>
        <CostLine label={t`Cost at that time`}>{formatCoins(cost)}</CostLine>
      </CostOfAction>
      <p className="text-sm text-dim">{t`No coins are reserved until then. If your balance is too low at that time, the task is not posted and stays a draft.`}</p>
    </DialogForm>
  )
}

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns a time as an input of the type `datetime-local` has it: the browser's local time, to the minute. */
function localTime(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
