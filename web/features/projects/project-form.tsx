import { t } from '@lingui/core/macro'
import { Button, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import { guessCategory } from '#contract/guess-category.ts'
import { REVIEW_DAYS, REWARD_MAX, TEXT_MAX, TITLE_MAX } from '#contract/product.ts'
import { type ProjectContent, variablesOf, WORKERS_PER_ITEM_MAX } from '#contract/projects.ts'
import { AudienceFields } from '#web/features/audience/audience-fields.tsx'
import { valuesOfAudience } from '#web/features/audience/audience-values.ts'
import { useSite } from '#web/features/site/site.ts'
import { CATEGORY_OPTIONS } from '#web/features/tasks/category-names.en.ts'
import { reservationChoices, reviewChoices } from '#web/features/tasks/task-inputs.ts'
import { deleteDraft, readDraft, useDraft } from '#web/lib/drafts.ts'
import { type Attempt, useForm } from '#web/lib/form.ts'
import { formatNumber } from '#web/lib/format.ts'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { WHOLE_NUMBER_PROPS } from '#web/ui/whole-number-props.ts'
import { errorWithin } from './error-within.ts'
import { ExampleList } from './example-list.tsx'
import { ProjectPreview } from './project-preview.tsx'
import { columnsIn, ProjectSchema, type ProjectValues } from './project-values.ts'
import { QualityFields } from './quality-fields.tsx'
import { QuestionList } from './question-list.tsx'
import { formOf } from './question-values.ts'

type Props = {
  /** The key of the unsent values in the browser; those win over `start`. */
  draftKey: string
  start: ProjectValues
  submitLabel: string
  save: (content: ProjectContent, attempt: Attempt) => Promise<unknown>
}

/** Renders the form of a project, with a preview as a worker sees it. */
export function ProjectForm({ draftKey, start, submitLabel, save }: Props) {
  const site = useSite()
  const [isPreviewed, setIsPreviewed] = useState(false)
  const form = useForm({
    about: draftKey,
    schema: ProjectSchema,
    // A draft of an earlier version lacks the fields that were added since.
    initialValues: { ...start, ...readDraft(draftKey, start) },
    submit: async (content: z.output<typeof ProjectSchema>, attempt) => {
      const category = content.category ?? guessCategory(content.title, content.instructions)
      await save({ ...content, category }, attempt)
      deleteDraft(draftKey)
    },
  })
  useDraft(draftKey, form.values)

  const { values, errors } = form
  const shownCategory = values.category || guessCategory(values.title, values.instructions)
  const variables = variablesOf(values.instructions)
  return (
    <div className="space-y-5">
      <form {...form.props} id="project" className="space-y-5">
        <Section title={t`Task`}>
          <TextInput
            label={t`Title`}
            placeholder={t`Describe what is in a picture`}
            required
            maxLength={TITLE_MAX}
            {...form.field('title')}
          />
          <Textarea
            label={t`Instructions`}
            description={t`Write ${{ variable: variableOf('column') }} where a value of your file belongs, such as ${{ example: variableOf('city') }}.`}
            placeholder={t`Look at the shop ${{ name: variableOf('name') }} in ${{ city: variableOf('city') }}.`}
            required
            autosize
            minRows={5}
            maxRows={20}
            maxLength={TEXT_MAX}
            {...form.field('instructions')}
          />
          <p className="text-sm text-dim" aria-live="polite">
            {variables.length === 0
              ? t`No variables yet: every worker would read the same text for every item.`
              : t`Columns that your file needs: ${{ columns: variables.join(', ') }}`}
          </p>
          <div className="grid gap-5 sm:grid-cols-2">
            <Textarea
              label={t`Picture columns`}
              description={t`Columns with URLs of pictures (https), one per line`}
              placeholder={t`photo`}
              autosize
              {...form.field('pictureColumns')}
              error={errorWithin(errors, 'pictureColumns')}
            />
            <NativeSelect
              label={t`Category`}
              description={
                values.category === ''
                  ? t`Suggested from your title and instructions`
                  : t`Workers filter by it`
              }
              data={CATEGORY_OPTIONS}
              {...form.field('category')}
              value={shownCategory}
            />
          </div>
        </Section>
        <Section title={t`Questions`}>
          <QuestionList questions={values.form} errors={errors} onChange={form.field('form').onChange} />
          <FormError message={errors['form.fields'] ?? null} />
        </Section>
        <Section title={t`Examples`}>
          <p className="text-sm text-dim">{t`Optional. Workers see them below the instructions.`}</p>
          <ExampleList
            examples={values.examples}
            errors={errors}
            onChange={form.field('examples').onChange}
          />
        </Section>
        <Section title={t`Pay and time`}>
          <div className="grid gap-5 sm:grid-cols-2">
            <NumberInput
              label={t`Pay per item`}
              description={t`For one worker's answers to one item`}
              required
              suffix={` ${t`coins`}`}
              {...WHOLE_NUMBER_PROPS}
              max={REWARD_MAX}
              {...form.field('reward')}
            />
            <NumberInput
              label={t`Workers per item`}
              description={t`From 1 to ${{ most: formatNumber(WORKERS_PER_ITEM_MAX) }}. More of them show where answers agree.`}
              required
              {...WHOLE_NUMBER_PROPS}
              max={WORKERS_PER_ITEM_MAX}
              {...form.field('workersPerItem')}
            />
            <NativeSelect
              label={t`Review within`}
              description={t`Work you do not review in time is paid automatically`}
              data={reviewChoices(site?.reviewDays ?? REVIEW_DAYS, values.reviewHours)}
              {...form.field('reviewHours')}
            />
            <NativeSelect
              label={t`Time per item`}
              description={t`How long a worker may hold an item before submitting`}
              data={reservationChoices(values.reservationMinutes)}
              {...form.field('reservationMinutes')}
            />
          </div>
        </Section>
        <Section title={t`Quality`}>
          <QualityFields values={values.quality} errors={errors} onChange={form.field('quality').onChange} />
        </Section>
        <section aria-label={t`Who may work`} className="card p-4 sm:p-6">
          <AudienceFields
            values={values.audience ?? valuesOfAudience()}
            errors={errors}
            onChange={form.field('audience').onChange}
          />
        </section>
      </form>
      {isPreviewed && (
        <Section title={t`Preview`}>
          <ProjectPreview
            content={{
              title: values.title,
              instructions: values.instructions,
              pictureColumns: columnsIn(values.pictureColumns),
              examples: values.examples,
              reward: Number(values.reward),
              form: formOf(values.form),
            }}
          />
        </Section>
      )}
      <FormError message={form.submitError} />
      <FormActions>
        <Button variant="default" aria-expanded={isPreviewed} onClick={() => setIsPreviewed(!isPreviewed)}>
          {isPreviewed ? t`Hide preview` : t`Show preview`}
        </Button>
        <Button type="submit" form="project" loading={form.isSubmitting}>
          {submitLabel}
        </Button>
      </FormActions>
    </div>
  )
}

const variableOf = (column: string) => `\${${column}}`

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="card space-y-5 p-4 sm:p-6">
      <h2 className="text-lg">{title}</h2>
      {children}
    </section>
  )
}
