import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { FORM_FIELDS_MAX } from '#contract/answer-form.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { IconPlus } from '#web/ui/icons.ts'
import { errorWithin } from './error-within.ts'
import { type Direction, QuestionEditor } from './question-editor.tsx'
import { namesOf, newQuestion, type Question } from './question-values.ts'

type Props = {
  questions: Question[]
  /** The messages of the form by path. */
  errors: Record<string, string>
  onChange: (questions: Question[]) => void
}

/** Renders the editor of an answer form. */
export function QuestionList({ questions, errors, onChange }: Props) {
  const names = namesOf(questions)
  const list = useRef<HTMLDivElement>(null)
  const addButton = useFocusRecovery<HTMLButtonElement>(questions.length)
  const moved = useRef<HTMLElement | null>(null)
  const [announcement, setAnnouncement] = useState('')

  // Moving an element in the document takes the focus from it.
  useLayoutEffect(() => {
    moved.current?.focus()
    moved.current = null
  })

  const move = (index: number, by: Direction) => {
    const question = questions[index]
    if (question === undefined) return
    const { activeElement } = document
    moved.current = list.current?.contains(activeElement) ? (activeElement as HTMLElement) : null
    onChange(questions.toSpliced(index, 1).toSpliced(index + by, 0, question))
    setAnnouncement(
      t`Question ${{ from: formatNumber(index + 1) }} is now question ${{ to: formatNumber(index + 1 + by) }}.`,
    )
  }

  return (
    <div className="space-y-4" ref={list}>
      {questions.map((question, index) => (
        <QuestionEditor
          key={question.key}
          question={question}
          position={index + 1}
          count={questions.length}
          suggestedName={names[index] ?? ''}
          errorAt={(path) => errorWithin(errors, `form.fields.${index}.${path}`)}
          onChange={(change) => onChange(questions.with(index, { ...question, ...change }))}
          onMove={(by) => move(index, by)}
          onRemove={() => onChange(questions.toSpliced(index, 1))}
        />
      ))}
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          ref={addButton}
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          disabled={questions.length >= FORM_FIELDS_MAX}
          onClick={() => onChange([...questions, newQuestion()])}
        >
          {t`Add question`}
        </Button>
        {questions.length > 1 && (
          <p className="text-sm text-dim">{t`Move a question with its buttons, or with Alt and the arrow keys.`}</p>
        )}
      </div>
    </div>
  )
}
