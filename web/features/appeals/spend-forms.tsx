import { t } from '@lingui/core/macro'
import { NumberInput, Textarea } from '@mantine/core'
import * as z from 'zod/mini'
import { REWARD_MAX } from '#contract/product.ts'
import { REASON_MAX } from '#contract/rejections.ts'
import { text } from '#contract/shapes.ts'
import { payBonus } from '#contract/submissions.ts'
import { CostLine } from '#web/features/coins/cost-line.tsx'
import { type Close, CostOfAction, closeAfter, DialogForm } from '#web/features/coins/spend-dialog.tsx'
import { callOnce } from '#web/lib/api.ts'
import { deleteDraft, readDraft, useDraft } from '#web/lib/drafts.ts'
import { type Attempt, useForm } from '#web/lib/form.ts'
import { formatCoins } from '#web/lib/format.ts'
import { WHOLE_NUMBER_PROPS } from '#web/ui/whole-number-props.ts'

const Nothing = z.object({})
const BonusBody = z.object({
  coins: z.int(t`Enter a whole number`).check(z.minimum(1, t`At least 1`), z.maximum(REWARD_MAX)),
  message: z.union([z.literal(''), text(REASON_MAX)]),
})

type FixedProps = {
  coins: number
  text: string
  submitLabel: string
  send: (attempt: Attempt) => Promise<{ isReplay: boolean }>
  close: Close
}

/** Renders the confirmation of an action with a fixed cost, with the balance afterwards. */
export function FixedCostForm({ coins, text, submitLabel, send, close }: FixedProps) {
  const form = useForm({
    schema: Nothing,
    initialValues: {},
    submit: (_, attempt) => closeAfter(close, () => send(attempt)),
  })
  return (
    <DialogForm form={form} submitLabel={submitLabel} close={close}>
      <p>{text}</p>
      <Cost coins={coins} />
    </DialogForm>
  )
}

/** Renders the form to pay a bonus for approved work. */
export function BonusForm({ submissionId, close }: { submissionId: string; close: Close }) {
  const name = `bonus ${submissionId}`
  const form = useForm({
    attemptName: name,
    schema: BonusBody,
    initialValues: readDraft(name, { coins: '' as number | '', message: '' }),
    submit: ({ coins, message }, attempt) =>
      closeAfter(close, async () => {
        const body = { coins, ...(message !== '' && { message }) }
        const outcome = await callOnce(payBonus, { params: { id: submissionId }, body }, attempt)
        deleteDraft(name)
        return outcome
      }),
  })
  useDraft(name, form.values)
  return (
    <DialogForm form={form} submitLabel={t`Pay bonus`} close={close}>
      <NumberInput
        label={t`Coins`}
        required
        data-autofocus
        {...WHOLE_NUMBER_PROPS}
        max={REWARD_MAX}
        {...form.field('coins')}
      />
      <Textarea
        label={t`Message`}
        description={t`Optional. The worker sees it.`}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={REASON_MAX}
        {...form.field('message')}
      />
      <Cost coins={Number(form.values.coins)} />
    </DialogForm>
  )
}

function Cost({ coins }: { coins: number }) {
  return (
    <CostOfAction total={coins}>
      <CostLine label={t`Cost`}>{formatCoins(coins)}</CostLine>
    </CostOfAction>
  )
}
