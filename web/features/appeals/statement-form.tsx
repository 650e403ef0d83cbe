import { Button, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { text } from '#contract/shapes.ts'
import { readDraft, useDraft } from '#web/lib/drafts.ts'
import { type Attempt, useForm } from '#web/lib/form.ts'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'

type Props = {
  label: string
  description?: string
  requiredMessage: string
  maxLength: number
  initialText?: string
  draftKey: string
  submitLabel: string
  /** Sends the text, and deletes the draft once the server has accepted it. */
  submit: (text: string, attempt: Attempt) => Promise<unknown>
  /** Further buttons beside the submit button. */
  children?: ReactNode
}

/** Renders a form for one text of a case. The text is kept as a draft until the server has accepted it. */
export function StatementForm({ draftKey, maxLength, initialText = '', submit, ...texts }: Props) {
  const form = useForm({
    about: draftKey,
    schema: z.object({ text: text(maxLength, texts.requiredMessage) }),
    initialValues: readDraft(draftKey, { text: initialText }),
    submit: (values, attempt) => submit(values.text, attempt),
  })
  useDraft(draftKey, form.values)
  return (
    <form {...form.props} aria-label={texts.submitLabel} className="space-y-4">
      <Textarea
        label={texts.label}
        description={texts.description}
        required
        autosize
        minRows={4}
        maxRows={20}
        maxLength={maxLength}
        {...form.field('text')}
      />
      <FormError message={form.submitError} />
      <FormActions>
        {texts.children}
        <Button type="submit" loading={form.isSubmitting}>
          {texts.submitLabel}
        </Button>
      </FormActions>
    </form>
  )
}
