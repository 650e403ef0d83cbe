import { plural, t } from '@lingui/core/macro'
import { NumberInput } from '@mantine/core'
import * as z from 'zod/mini'
import { type Batch, topUpBatch } from '#contract/batches.ts'
import { WORKERS_PER_ITEM_MAX } from '#contract/projects.ts'
import { CostLine } from '#web/features/coins/cost-line.tsx'
import { type Close, CostOfAction, closeAfter, DialogForm } from '#web/features/coins/spend-dialog.tsx'
import { useSite } from '#web/features/site/site.ts'
import { calculateCost } from '#web/features/tasks/task-cost.ts'
import { callOnce } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { WHOLE_NUMBER_PROPS } from '#web/ui/whole-number-props.ts'

const Form = z.object({
  workers: z.int(t`Enter a whole number`).check(z.minimum(1, t`At least 1`), z.maximum(WORKERS_PER_ITEM_MAX)),
})

type Props = { batch: Batch; reward: number; close: Close }

/** Renders the form that adds workers to every item of an open batch, with their cost. */
export function AddWorkersForm({ batch: { _id: id, items, workersPerItem }, reward, close }: Props) {
  const site = useSite()
  const costOf = (workers: number | '') =>
    workers === '' ? null : calculateCost(items * workers, reward, site?.feePercent ?? 0)
  const form = useForm({
    schema: Form,
    initialValues: { workers: 1 as number | '' },
    submit: ({ workers }, attempt) =>
      closeAfter(close, () =>
        callOnce(
          topUpBatch,
          {
            params: { id },
            body: { workersPerItem: workersPerItem + workers, total: costOf(workers)?.total ?? 0 },
          },
          attempt,
        ),
      ),
  })
  const { workers } = form.values
  const cost = costOf(workers)
  return (
    <DialogForm form={form} submitLabel={t`Add workers`} close={close}>
      <NumberInput
        label={t`Workers to add to each item`}
        description={plural(workersPerItem, {
          one: 'Each item has # worker now. Nobody works on an item twice.',
          other: 'Each item has # workers now. Nobody works on an item twice.',
        })}
        required
        data-autofocus
        {...WHOLE_NUMBER_PROPS}
        max={WORKERS_PER_ITEM_MAX - workersPerItem}
        {...form.field('workers')}
      />
      <CostOfAction total={cost?.total ?? 0}>
        <CostLine
          label={[
            plural(items, { one: '# item', other: '# items' }),
            plural(Number(workers), { one: '# worker', other: '# workers' }),
            formatNumber(reward),
          ].join(' × ')}
        >
          {formatCoins(cost?.work ?? 0)}
        </CostLine>
        {cost && cost.fee > 0 && <CostLine label={t`Marketplace fee`}>{formatCoins(cost.fee)}</CostLine>}
      </CostOfAction>
    </DialogForm>
  )
}
