import { t } from '@lingui/core/macro'
import { Switch, Textarea, TextInput } from '@mantine/core'
import { DecimalInput } from '#web/ui/decimal-input.tsx'
import type { SettingField } from './sections.en.ts'

/** Descriptions stand below their inputs, so that the inputs of a row are aligned. */
const BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

type Props = {
  field: SettingField
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}

/** Renders the input of one property of a setting. */
export function SettingInput({ field, value, error, onChange }: Props) {
  const { label, kind, unit, optional } = field
  const description =
    [field.description, optional && t`Leave empty to turn off.`].filter(Boolean).join(' ') || undefined
  const common = { label, description, error }
  if (kind === 'switch') {
    return (
      <Switch
        className="sm:col-span-2"
        label={label}
        description={description}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  if (kind === 'text' || kind === 'lines') {
    const Input = kind === 'lines' ? Textarea : TextInput
    return (
      <Input
        {...common}
        inputWrapperOrder={BELOW}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <MoneyOrNumberInput
      {...common}
      unit={kind === 'dollars' ? '$' : unit}
      scale={kind === 'dollars' ? 100 : 1}
      value={value}
      onChange={(next) => onChange(next === '' && optional ? null : next)}
    />
  )
}

type NumberProps = {
  label: string
  /** The accessible name, where several inputs have the same label. */
  name?: string
  description?: string | undefined
  error: string | undefined
  unit?: string | undefined
  /** The stored value of one: 100 for cents that are entered in dollars. */
  scale: number
  value: unknown
  onChange: (value: number | '') => void
}

/** Renders an input of a number, or of dollars that are stored in cents. */
export function MoneyOrNumberInput({
  label,
  name,
  description,
  error,
  unit,
  scale,
  value,
  onChange,
}: NumberProps) {
  return (
    <DecimalInput
      label={label}
      description={description}
      error={error}
      inputWrapperOrder={BELOW}
      aria-label={name ?? label}
      allowNegative={false}
      clampBehavior="none"
      decimalScale={scale === 1 ? 3 : 2}
      fixedDecimalScale={scale !== 1}
      thousandSeparator=","
      thousandsGroupStyle="lakh"
      prefix={unit === '$' ? '$' : ''}
      suffix={unit === undefined || unit === '$' ? '' : ` ${unit}`}
      value={typeof value === 'number' ? value / scale : ''}
      onChange={(typed) => onChange(typed === '' ? '' : Math.round(typed * scale * 1000) / 1000)}
    />
  )
}
