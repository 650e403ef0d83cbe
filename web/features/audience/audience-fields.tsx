import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Checkbox, NativeSelect, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { VISIBILITIES, type Visibility, type WorkLanguage } from '#contract/audience.ts'
import { qualifications } from '#contract/qualifications.ts'
import { queryOf } from '#web/lib/queries.ts'
import { numberOf } from '#web/ui/decimal-input.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { WHOLE_NUMBER_PROPS } from '#web/ui/whole-number-props.ts'
import { type AudienceValues, languageOptions, summaryOf, VISIBILITY_NAMES } from './audience-values.ts'

type Props = {
  values: AudienceValues
  /** The messages of the form, by the paths of its fields. */
  errors: Record<string, string>
  onChange: (values: AudienceValues) => void
}

/** Renders who may work on a task: a summary, and the fields when they are opened. */
export function AudienceFields({ values, errors, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const isShown = isOpen || Object.keys(errors).some((path) => path.startsWith('audience'))
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-lg">{t`Who may work`}</h2>
          <p className="text-sm text-dim">{summaryOf(values)}</p>
        </div>
        <Button
          variant="default"
          aria-expanded={isShown}
          aria-controls={id}
          onClick={() => setIsOpen(!isShown)}
        >
          {isShown ? t`Close` : t`Change who may work`}
        </Button>
      </div>
      <div id={id} className="space-y-5" hidden={!isShown}>
        {isShown && <Fields values={values} errors={errors} onChange={onChange} />}
      </div>
    </div>
  )
}

function Fields({ values, errors, onChange }: Props) {
  const change = (part: Partial<AudienceValues>) => onChange({ ...values, ...part })
  return (
    <>
      <NativeSelect
        label={t`Who sees it`}
        description={VISIBILITY_HINTS[values.visibility]}
        data={VISIBILITIES.map((value) => ({ value, label: VISIBILITY_NAMES[value] }))}
        value={values.visibility}
        onChange={(event) => change({ visibility: event.currentTarget.value as Visibility })}
      />
      <Qualifications values={values} onChange={(ids) => change({ qualifications: ids })} />
      <FormError message={errors['audience.qualifications'] ?? null} />
      <div className="grid gap-5 sm:grid-cols-2">
        <NumberInput
          label={t`Minimum approval rate`}
          description={t`The share of their reviewed work that was approved. Workers with no reviewed work are also accepted.`}
          suffix="%"
          {...WHOLE_NUMBER_PROPS}
          max={100}
          value={values.approvalPercentMin}
          onChange={(value) => change({ approvalPercentMin: numberOf(value) })}
          error={errors['audience.approvalPercentMin']}
        />
        <NumberInput
          label={t`Minimum approved submissions`}
          description={t`Set a number to exclude beginners.`}
          {...WHOLE_NUMBER_PROPS}
          max={100_000}
          value={values.approvedMin}
          onChange={(value) => change({ approvedMin: numberOf(value) })}
          error={errors['audience.approvedMin']}
        />
        <NativeSelect
          label={t`Language`}
          description={t`As stated by the worker`}
          data={[{ value: '', label: t`Any` }, ...languageOptions()]}
          value={values.language}
          onChange={(event) => change({ language: event.currentTarget.value as WorkLanguage | '' })}
        />
      </div>
      <p className="text-sm text-dim">{t`It cannot be changed after posting. Workers who cannot take the work see why.`}</p>
    </>
  )
}

const VISIBILITY_HINTS: Record<Visibility, string> = {
  everyone: t`Everyone sees it as soon as it is posted.`,
  favourites_first: t`Others see it an hour after it is posted. If you have no favourites, everyone sees it at once.`,
  link: t`It does not appear in lists or searches. You get the link when it is posted, and can revoke it.`,
}

function Qualifications({ values, onChange }: { values: AudienceValues; onChange: (ids: string[]) => void }) {
  const { data = [] } = useQuery(queryOf(qualifications, {}))
  // One that was deleted can be taken out.
  const unknown = values.qualifications.filter((id) => !data.some(({ _id }) => _id === id))
  return (
    <Checkbox.Group
      label={t`Required qualifications`}
      description={
        <Trans>
          You grant them to workers in{' '}
          <Link to="/dashboard/my-workers" className="link">
            My Workers
          </Link>
          .
        </Trans>
      }
      value={values.qualifications}
      onChange={onChange}
    >
      <div className="mt-3 space-y-3">
        {data.map(({ _id, name, workers }) => (
          <Checkbox
            key={_id}
            value={_id}
            label={name}
            description={plural(workers, {
              0: 'No worker has it',
              one: '# worker has it',
              other: '# workers have it',
            })}
          />
        ))}
        {unknown.map((id) => (
          <Checkbox key={id} value={id} label={t`A deleted qualification`} />
        ))}
        {data.length === 0 && unknown.length === 0 && (
          <p className="text-sm text-dim">{t`You have no qualifications yet.`}</p>
        )}
      </div>
    </Checkbox.Group>
  )
}
