import { t } from '@lingui/core/macro'
import { NumberInput } from '@mantine/core'
import { SCORE_AFTER_MAX } from '#contract/projects.ts'
import { numberOf } from '#web/ui/decimal-input.tsx'
import { WHOLE_NUMBER_PROPS } from '#web/ui/whole-number-props.ts'
import type { QualityValues } from './project-values.ts'

type Props = {
  values: QualityValues
  /** The messages of the form by path. */
  errors: Record<string, string>
  onChange: (values: QualityValues) => void
}

/** Renders who gets more items, and what is approved automatically. */
export function QualityFields({ values, errors, onChange }: Props) {
  const field = (name: keyof QualityValues) => ({
    ...WHOLE_NUMBER_PROPS,
    value: values[name],
    error: errors[`quality.${name}`],
    onChange: (value: number | string) => onChange({ ...values, [name]: numberOf(value) }),
  })
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <NumberInput
        label={t`Minimum worker score`}
        description={t`Workers with fewer correct answers, in percent, get no more items. What they submitted is still reviewed and paid. Leave empty for no limit.`}
        suffix="%"
        max={100}
        {...field('leastScore')}
      />
      <NumberInput
        label={t`Answers before a score counts`}
        description={t`To items whose answer you know, or else to items with other answers`}
        max={SCORE_AFTER_MAX}
        {...field('scoreAfter')}
      />
      <NumberInput
        label={t`Approve automatically from`}
        description={t`When all workers of an item have answered and this share gave the same answers, those are approved and paid at once. You decide about the others. Leave empty to decide about all of them.`}
        suffix="%"
        max={100}
        {...field('approveShare')}
      />
    </div>
  )
}
