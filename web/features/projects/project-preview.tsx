import { t } from '@lingui/core/macro'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AnswerForm, Answers } from '#contract/answer-form.ts'
import { fillTemplate, type ProjectContent, variablesOf } from '#contract/projects.ts'
import { pictureSource } from '#web/lib/picture-source.ts'
import { AnswerFields } from './answer-fields.tsx'
import { ItemView } from './item-view.tsx'

type Props = {
  content: Pick<ProjectContent, 'title' | 'instructions' | 'pictureColumns' | 'examples' | 'reward'> & {
    form: AnswerForm
  }
}

/** Renders an item of a project as a worker sees it, with values for its variables to try. Nothing is sent. */
export function ProjectPreview({ content }: Props) {
  const [input, setInput] = useState<Record<string, string>>({})
  const [answers, setAnswers] = useState<Answers>({})
  const columns = [...new Set([...variablesOf(content.instructions), ...content.pictureColumns])]
  const inputOf = (column: string) => (Object.hasOwn(input, column) ? (input[column] ?? '') : '')
  const pictures = content.pictureColumns
    .map((column) => ({ column, url: inputOf(column) }))
    .filter(({ url }) => /^https:\/\/./.test(url))
  const filled = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== ''))
  return (
    <div className="space-y-5">
      {columns.length > 0 && (
        <div className="grid gap-4 rounded-control bg-canvas p-4 sm:grid-cols-2">
          <p className="text-sm text-dim sm:col-span-2">{t`Sample values of one row. Your file fills them in for every item.`}</p>
          {columns.map((column) => (
            <TextInput
              key={column}
              label={column}
              placeholder={content.pictureColumns.includes(column) ? 'https://' : undefined}
              autoComplete="off"
              value={inputOf(column)}
              onChange={(event) => setInput({ ...input, [column]: event.currentTarget.value })}
            />
          ))}
        </div>
      )}
      <ItemView
        item={{
          ...content,
          title: content.title.trim() || t`Title`,
          instructions: fillTemplate(content.instructions, filled),
          pictures,
        }}
      />
      {pictures.some(({ url }) => pictureSource(url) !== url) && (
        <p className="text-sm text-dim">{t`Pictures of other sites are loaded for the items of a file. Upload one to see them.`}</p>
      )}
      <AnswerFields form={content.form} answers={answers} onChange={setAnswers} />
    </div>
  )
}
