import { plural, t } from '@lingui/core/macro'
import { Checkbox, Radio, Textarea, TextInput } from '@mantine/core'
import {
  type AnswerForm,
  type Answers,
  answerTo,
  type FormField,
  LONG_TEXT_MAX,
  SHORT_TEXT_MAX,
} from '#contract/answer-form.ts'
import { formatDecimal } from '#web/lib/format-decimal.ts'
import { uploadPicture } from '#web/lib/upload-picture.ts'
import { DecimalInput } from '#web/ui/decimal-input.tsx'
import { PictureAnswer } from './picture-answer.tsx'

type Value = Answers[string]
type Props = {
  form: AnswerForm
  answers: Answers
  /** The messages of questions by their names. */
  errors?: Record<string, string>
  /** The question whose options have a number key (web/features/batches/use-option-keys.ts). */
  active?: string | undefined
  onActive?: (name: string) => void
  onChange: (answers: Answers) => void
  /** Uploads a picture of an answer. */
  upload?: typeof uploadPicture
}

/** Renders the questions of an answer form with what the worker entered. */
export function AnswerFields({
  form,
  answers,
  errors = {},
  active,
  onActive,
  onChange,
  upload = uploadPicture,
}: Props) {
  const change = (name: string, value: Value | undefined) => {
    const { [name]: _, ...others } = answers
    onChange(value === undefined ? others : { ...others, [name]: value })
  }
  return (
    <div className="space-y-5">
      {form.fields.map((field) => (
        <AnswerField
          key={field.name}
          field={field}
          value={answerTo(answers, field.name)}
          error={Object.hasOwn(errors, field.name) ? errors[field.name] : undefined}
          hasKeys={active === field.name}
          onFocus={() => onActive?.(field.name)}
          onChange={(value) => change(field.name, value)}
          upload={upload}
        />
      ))}
    </div>
  )
}

type FieldProps = {
  field: FormField
  value: Value | undefined
  error: string | undefined
  hasKeys: boolean
  onFocus: () => void
  onChange: (value: Value | undefined) => void
  upload: typeof uploadPicture
}

function AnswerField({ field, value, error, hasKeys, onFocus, onChange, upload }: FieldProps) {
  const common = {
    label: field.label,
    description: descriptionOf(field),
    required: field.required,
    error,
  }
  const text = typeof value === 'string' ? value : ''
  const list = Array.isArray(value) ? value : []
  const labelOf = (option: string, place: number) => (
    <>
      {option}
      {hasKeys && place < 9 && (
        <kbd aria-hidden className="ml-2 rounded border border-edge px-1.5 text-xs text-dim max-sm:hidden">
          {place + 1}
        </kbd>
      )}
    </>
  )
  switch (field.type) {
    case 'text':
      return (
        <TextInput
          {...common}
          maxLength={field.maxLength ?? SHORT_TEXT_MAX}
          autoComplete="off"
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'long_text':
      return (
        <Textarea
          {...common}
          autosize
          minRows={4}
          maxRows={16}
          maxLength={field.maxLength ?? LONG_TEXT_MAX}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'number':
      return (
        <DecimalInput
          {...common}
          hideControls
          allowDecimal={field.whole !== true}
          value={typeof value === 'number' ? value : ''}
          onChange={(entered) => onChange(entered === '' ? undefined : entered)}
        />
      )
    case 'choice':
      return (
        <Radio.Group {...common} onFocus={onFocus} name={field.name} value={text} onChange={onChange}>
          <div className="my-2 grid gap-2">
            {field.options.map((option, place) => (
              <Radio key={option} value={option} label={labelOf(option, place)} />
            ))}
          </div>
        </Radio.Group>
      )
    case 'choices':
      return (
        <Checkbox.Group {...common} onFocus={onFocus} value={list} onChange={onChange}>
          <div className="my-2 grid gap-2">
            {field.options.map((option, place) => (
              <Checkbox key={option} value={option} label={labelOf(option, place)} />
            ))}
          </div>
        </Checkbox.Group>
      )
    case 'link':
      return (
        <TextInput
          {...common}
          type="url"
          inputMode="url"
          placeholder="https://"
          autoComplete="off"
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'picture':
      return <PictureAnswer {...common} max={field.max} urls={list} onChange={onChange} upload={upload} />
  }
}

/** Returns the help of a question and its limits, in words. */
function descriptionOf(field: FormField): string | undefined {
  const parts = [field.help, limitsOf(field)].filter((part) => part !== undefined && part !== '')
  return parts.length > 0 ? parts.join(' ') : undefined
}

function limitsOf(field: FormField): string {
  switch (field.type) {
    case 'text':
      return field.pattern === undefined
        ? rangeText(field.minLength, field.maxLength, characters)
        : (field.patternHint ?? '')
    case 'long_text':
      return rangeText(field.minLength, field.maxLength, characters)
    case 'number':
      return rangeText(field.min, field.max, formatDecimal)
    case 'choices':
      return rangeText(field.min, field.max, (count) =>
        plural(count, { one: '# option', other: '# options' }),
      )
    case 'picture':
      return rangeText(undefined, field.max, (count) =>
        plural(count, { one: '# picture', other: '# pictures' }),
      )
    case 'choice':
    case 'link':
      return ''
  }
}

const characters = (count: number) => plural(count, { one: '# character', other: '# characters' })

function rangeText(
  least: number | undefined,
  most: number | undefined,
  count: (value: number) => string,
): string {
  if (least !== undefined && most !== undefined)
    return t`From ${{ least: formatDecimal(least) }} to ${{ most: count(most) }}.`
  if (least !== undefined) return t`At least ${{ least: count(least) }}.`
  return most === undefined ? '' : t`At most ${{ most: count(most) }}.`
}
