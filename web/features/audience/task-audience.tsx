import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { Ineligibility, TaskAudience as Requirements } from '#contract/audience.ts'
import { formatNumber } from '#web/lib/format.ts'
import { languageName } from './audience-values.ts'
import { testRule } from './qualification-test.tsx'

/** Renders why a worker may not take a slot or an item, and what helps. */
export function IneligibleNotice({ ineligibility }: { ineligibility: Ineligibility }) {
  return (
    <div role="note" className="mb-5 rounded-control border border-line px-4 py-3">
      <h2 className="text-base">{t`You cannot take this task`}</h2>
      <p className="text-sm text-dim">{ineligibility.message}</p>
      {ineligibility.tests?.map((test) => (
        <p key={test.qualification} className="mt-2 text-sm">
          {t`You can earn ${{ qualification: test.qualification }} in:`}{' '}
          <Link to={`/dashboard/task-details/${test.taskId}`} className="link">
            {test.title}
          </Link>
          {' · '}
          {testRule(test.answersMin, test.percentMin)}
        </p>
      ))}
      {ineligibility.reason === 'language' && (
        <p className="mt-2 text-sm">
          <Link to="/dashboard#languages" className="link">{t`Your languages`}</Link>
        </p>
      )}
    </div>
  )
}

/** Renders what a task requires of its workers. */
export function AudienceDetails({ audience }: { audience: Requirements }) {
  const { visibility, qualifications, approvalPercentMin, approvedMin, language } = audience
  return (
    <>
      <h2 className="mt-6 text-lg">{t`Who may work`}</h2>
      <ul className="mt-2 space-y-3 text-sm">
        {visibility === 'link' && <li>{t`Workers with the private link`}</li>}
        {visibility === 'favourites_first' && <li>{t`For the first hour, the buyer's favourite workers`}</li>}
        {qualifications.map(({ _id, name, description }) => (
          <li key={_id}>
            <span className="font-nav">{t`Qualification: ${name}`}</span>
            <span className="block whitespace-pre-line text-dim wrap-anywhere">{description}</span>
          </li>
        ))}
        {approvalPercentMin !== null && (
          <li>{t`At least ${{ percent: formatNumber(approvalPercentMin) }}% of the decided work approved`}</li>
        )}
        {approvedMin !== null && (
          <li>{t`Approved submissions: at least ${{ number: formatNumber(approvedMin) }}`}</li>
        )}
        {language !== null && <li>{t`Language: ${{ language: languageName(language) }}`}</li>}
      </ul>
    </>
  )
}
