import { t } from '@lingui/core/macro'
import { Button, Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { PATTERN_MAX } from '#contract/answer-form.ts'
import { formatNumber } from '#web/lib/format.ts'
import { LIMIT_NAMES, QUESTION_TYPE_NAMES } from './question-types.ts'
import { hasOptions, LIMITS, type Question, type QuestionType } from './question-values.ts'

const TYPES = (Object.keys(QUESTION_TYPE_NAMES) as QuestionType[]).map((value) => ({
  value,
  label: QUESTION_TYPE_NAMES[value],
}))

export type Direction = -1 | 1

type Props = {
  question: Question
  position: number
  count: number
  /** The name in files when none is entered. */
  suggestedName: string
  /** Returns the first message at or below a path of the question, such as `label`. */
  errorAt: (path: string) => string | undefined
  onChange: (change: Partial<Question>) => void
  onMove: (by: Direction) => void
  onRemove: () => void
}

/** Renders the fields of one question of an answer form. Alt with an arrow key moves it. */
export function QuestionEditor(props: Props) {
  const { question, position, count, suggestedName, errorAt, onChange, onMove, onRemove } = props
  const { type } = question
  const isInvalid = hasHiddenError(props)
  const [isOpen, setIsOpen] = useState(false)
  // What is being corrected stays open when the message disappears.
  useEffect(() => {
    if (isInvalid) setIsOpen(true)
  }, [isInvalid])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    const by = event.key === 'ArrowUp' ? -1 : 1
    if (position + by >= 1 && position + by <= count) onMove(by)
  }
  return (
    <fieldset
      className="min-w-0 rounded-control border border-line py-4 max-sm:border-x-0 sm:px-4"
      onKeyDown={onKeyDown}
    >
      <legend className="px-1 text-sm font-nav">{t`Question ${{ number: formatNumber(position) }}`}</legend>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <TextInput
          label={t`Question`}
          placeholder={t`What is in the picture?`}
          required
          maxLength={200}
          value={question.label}
          error={errorAt('label')}
          onChange={(event) => onChange({ label: event.currentTarget.value })}
        />
        <NativeSelect
          label={t`Type`}
          data={TYPES}
          value={type}
          onChange={(event) =>
            onChange({ type: event.currentTarget.value as QuestionType, least: '', most: '' })
          }
        />
      </div>
      {hasOptions(type) && (
        <Textarea
          className="mt-4"
          label={t`Options`}
          description={t`One per line`}
          required
          autosize
          minRows={3}
          maxRows={12}
          value={question.options}
          error={errorAt('options')}
          onChange={(event) => onChange({ options: event.currentTarget.value })}
        />
      )}
      <details
        className="mt-4"
        open={isOpen || isInvalid}
        onToggle={(event) => setIsOpen(event.currentTarget.open)}
      >
        <summary className="inline-flex min-h-6 cursor-pointer items-center text-sm font-nav text-brand">{t`Rules and help`}</summary>
        <div className="mt-3 grid gap-4 sm:grid-cols-2">
          {(['least', 'most'] as const).map((limit) => {
            const name = LIMITS[type][limit]
            if (name === undefined) return null
            return (
              <NumberInput
                key={limit}
                label={LIMIT_NAMES[type][limit]}
                placeholder={t`No limit`}
                hideControls
                allowDecimal={type === 'number'}
                allowNegative={type === 'number'}
                value={question[limit]}
                error={errorAt(name)}
                onChange={(value) => onChange({ [limit]: value })}
              />
            )
          })}
          {type === 'text' && (
            <>
              <TextInput
                label={t`Pattern`}
                description={t`A regular expression that the whole text must match`}
                placeholder="[A-Z]{2}-\d{4}"
                maxLength={PATTERN_MAX}
                spellCheck={false}
                autoComplete="off"
                value={question.pattern}
                error={errorAt('pattern')}
                onChange={(event) => onChange({ pattern: event.currentTarget.value })}
              />
              <TextInput
                label={t`Message when the pattern does not match`}
                description={t`Say what to enter`}
                placeholder={t`Enter a code like AB-1234`}
                maxLength={200}
                value={question.patternHint}
                error={errorAt('patternHint')}
                onChange={(event) => onChange({ patternHint: event.currentTarget.value })}
              />
            </>
          )}
          <TextInput
            label={t`Help for the worker`}
            description={t`Optional, shown below the question`}
            maxLength={1_000}
            value={question.help}
            error={errorAt('help')}
            onChange={(event) => onChange({ help: event.currentTarget.value })}
          />
          <TextInput
            label={t`Name in files`}
            description={t`Heading of this column in your results`}
            placeholder={suggestedName}
            maxLength={40}
            spellCheck={false}
            autoComplete="off"
            value={question.name}
            error={errorAt('name')}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
        </div>
      </details>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <span className="flex flex-wrap gap-x-5 gap-y-2">
          <Checkbox
            label={t`Required`}
            checked={question.required}
            onChange={(event) => onChange({ required: event.currentTarget.checked })}
          />
          {type === 'number' && (
            <Checkbox
              label={t`Whole numbers only`}
              checked={question.whole}
              onChange={(event) => onChange({ whole: event.currentTarget.checked })}
            />
          )}
        </span>
        <span className="flex flex-wrap gap-2">
          <Button
            variant="default"
            size="xs"
            disabled={position === 1}
            aria-label={t`Move question ${{ number: formatNumber(position) }} up`}
            aria-keyshortcuts="Alt+ArrowUp"
            onClick={() => onMove(-1)}
          >
            {t`Up`}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={position === count}
            aria-label={t`Move question ${{ number: formatNumber(position) }} down`}
            aria-keyshortcuts="Alt+ArrowDown"
            onClick={() => onMove(1)}
          >
            {t`Down`}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={count === 1}
            aria-label={t`Remove question ${{ number: formatNumber(position) }}`}
            onClick={onRemove}
          >
            {t`Remove`}
          </Button>
        </span>
      </div>
    </fieldset>
  )
}

/** Returns whether a message belongs to a field of the rules, which may be closed. */
function hasHiddenError({ question, errorAt }: Props): boolean {
  const { least, most } = LIMITS[question.type]
  return ['pattern', 'patternHint', 'help', 'name', least, most].some(
    (path) => path !== undefined && errorAt(path) !== undefined,
  )
}
