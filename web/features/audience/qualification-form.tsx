import { t } from '@lingui/core/macro'
import { Button, Textarea, TextInput } from '@mantine/core'
import {
  changeQualification,
  createQualification,
  QUALIFICATION_NAME_MAX,
  type Qualification,
  QualificationContent,
} from '#contract/qualifications.ts'
import { call } from '#web/lib/api.ts'
import { useFocusOnMount } from '#web/lib/focus-on-mount.ts'
import { useForm } from '#web/lib/form.ts'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'

type Props = {
  /** The one to change; without it a new one is created. */
  qualification?: Qualification
  onDone: () => Promise<void>
  onCancel: () => void
}

/** Renders the form of a qualification. */
export function QualificationForm({ qualification, onDone, onCancel }: Props) {
  const form = useForm({
    about: qualification?._id ?? '',
    schema: QualificationContent,
    initialValues: { name: qualification?.name ?? '', description: qualification?.description ?? '' },
    submit: async (body, attempt) => {
      if (qualification === undefined) await call(createQualification, { body }, attempt)
      else await call(changeQualification, { params: { id: qualification._id }, body }, attempt)
      await onDone()
    },
  })
  const name = useFocusOnMount()
  return (
    <form {...form.props} className="mt-4 space-y-5">
      <TextInput
        ref={name}
        label={t`Name`}
        required
        maxLength={QUALIFICATION_NAME_MAX}
        placeholder={t`Reads handwriting`}
        {...form.field('name')}
      />
      <Textarea
        label={t`Description`}
        description={t`Shown to workers: what it confirms, and how to get it`}
        required
        autosize
        minRows={2}
        maxRows={10}
        maxLength={1000}
        {...form.field('description')}
      />
      <FormError message={form.submitError} />
      <FormActions onCancel={onCancel}>
        <Button type="submit" loading={form.isSubmitting}>
          {qualification === undefined ? t`Create qualification` : t`Save`}
        </Button>
      </FormActions>
    </form>
  )
}
