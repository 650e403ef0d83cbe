import { plural, t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { Qualification } from '#contract/qualifications.ts'
import { formatNumber } from '#web/lib/format.ts'

type Props = { test: NonNullable<Qualification['test']> }

/** Renders how workers earn a qualification, for its buyer. */
export function QualificationTest({ test: { project, projectTitle, answersMin, percentMin } }: Props) {
  return (
    <p className="text-sm wrap-anywhere">
      {t`Earned in:`}{' '}
      <Link to={`/dashboard/projects/${project}`} className="link">
        {projectTitle}
      </Link>
      {' · '}
      {testRule(answersMin, percentMin)}
    </p>
  )
}

/** Returns a test in a few words. */
export const testRule = (answersMin: number, percentMin: number): string =>
  [
    plural(answersMin, { one: 'after # answer', other: 'after # answers' }),
    t`at least ${{ percent: formatNumber(percentMin) }}% correct`,
  ].join(', ')
