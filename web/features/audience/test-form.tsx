import { t } from '@lingui/core/macro'
import { Button, NativeSelect, NumberInput } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { LIST_LIMIT_MAX } from '#contract/product.ts'
import { projects, SCORE_AFTER_MAX } from '#contract/projects.ts'
import {
  type Qualification,
  QualificationTest,
  removeQualificationTest,
  setQualificationTest,
} from '#contract/qualifications.ts'
import { Id } from '#contract/shapes.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { WHOLE_NUMBER_PROPS } from '#web/ui/whole-number-props.ts'

/** What a new test asks for. */
const ANSWERS_MIN = 20
const PERCENT_MIN = 90

const Form = z.extend(QualificationTest, {
  project: z.pipe(z.string().check(z.minLength(1, t`Choose a project`)), Id),
})

type Props = { qualification: Qualification; onDone: () => Promise<void>; onCancel: () => void }

/** Renders the form of the test by which workers earn a qualification. */
export function TestForm({ qualification: { _id: id, test }, onDone, onCancel }: Props) {
  const query = useInfiniteQuery(infiniteQueryOf(projects, { query: {} }, LIST_LIMIT_MAX))
  const own = query.data?.pages.flatMap(({ reply }) => reply)
  const params = { id }
  const form = useForm({
    about: `test ${id}`,
    schema: Form,
    initialValues: {
      project: test?.project ?? '',
      answersMin: test?.answersMin ?? ANSWERS_MIN,
      percentMin: test?.percentMin ?? PERCENT_MIN,
    },
    submit: async (body, attempt) => {
      await call(setQualificationTest, { params, body }, attempt)
      await onDone()
    },
  })
  const remove = useMutation({
    mutationFn: () => call(removeQualificationTest, { params }),
    onSuccess: onDone,
  })
  // The project of the test is listed although it may be archived.
  const listed = own?.some(({ _id }) => _id === test?.project)
  const options = [
    { value: '', label: t`Choose a project` },
    ...(test === null || listed ? [] : [{ value: test.project, label: test.projectTitle }]),
    ...(own ?? []).map(({ _id, title }) => ({ value: _id, label: title })),
  ]
  return (
    <form {...form.props} className="mt-4 space-y-5">
      <p className="text-sm text-dim">
        {t`Workers earn it without you, in batches that have rows with known correct answers. The batches are paid like all others. If you revoke it from a worker, they do not earn it again until you grant it.`}
      </p>
      <NativeSelect
        label={t`Project`}
        description={t`Its files need a column of known answers. All its batches count together.`}
        data={options}
        {...form.field('project')}
      />
      <LoadMore query={query} />
      {own?.length === 0 && (
        <Link to="/dashboard/projects/new" className="link text-sm">{t`New project`}</Link>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <NumberInput
          label={t`Minimum answers to known items`}
          {...WHOLE_NUMBER_PROPS}
          max={SCORE_AFTER_MAX}
          {...form.field('answersMin')}
        />
        <NumberInput
          label={t`Minimum share of correct answers`}
          suffix="%"
          {...WHOLE_NUMBER_PROPS}
          max={100}
          {...form.field('percentMin')}
        />
      </div>
      <FormError message={form.submitError ?? (remove.error && errorMessage(remove.error))} />
      <FormActions onCancel={onCancel}>
        {test !== null && (
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t`Remove test`}
          </Button>
        )}
        <Button type="submit" loading={form.isSubmitting}>{t`Save`}</Button>
      </FormActions>
    </form>
  )
}
