import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Case, CaseStep } from '#contract/appeals.ts'
import type { Decider } from '#contract/submission-states.ts'
import { REJECTION_CATEGORY_NAMES } from '#web/features/submissions/rejection-categories.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { pictureSource, thumbnailSource } from '#web/lib/picture-source.ts'
import { UserText } from '#web/ui/user-text.tsx'

const STEP_NAMES: Record<CaseStep['step'], string> = {
  submitted: t`Work submitted`,
  revision_requested: t`Revision requested`,
  revised: t`Revised work submitted`,
  revision_missed: t`No revision in time, back to review`,
  rejected: t`Work rejected`,
  appealed: t`Rejection appealed`,
  defended: t`Buyer stands by the rejection`,
  second_review: t`Passed to a second reviewer`,
  review_upheld: t`Reviewer upheld the rejection`,
  review_overturned: t`Reviewer overturned the rejection`,
  approved: t`Work approved and paid`,
  rejection_final: t`Rejection became final`,
  slot_reopened: t`Buyer paid for another slot`,
  slot_refunded: t`Slot refunded to the buyer`,
  bonus: t`Bonus paid`,
}

/** Why a state became final, where the steps before do not show it. */
const REASONS: Partial<Record<Decider, string>> = {
  time: t`The review period ended.`,
  buyer_left: t`The buyer’s account was deleted.`,
  worker_left: t`The worker’s account was deleted.`,
  worker: t`The worker accepted the rejection.`,
  concession: t`The buyer withdrew the rejection.`,
  silence: t`The buyer did not respond to the appeal in time.`,
  no_reviewer: t`No reviewer decided in time.`,
  reversal: t`The buyer reversed the rejection.`,
  agreement: t`Other workers gave the same answers.`,
}

/** Renders everything said and moved in a case, oldest first. */
export function CaseTimeline({ subject }: { subject: Case }) {
  const isRevised = subject.steps.some(({ step }) => step === 'revised')
  // The page shows the current work above.
  const isShownAbove = ({ step }: CaseStep) => step === (isRevised ? 'revised' : 'submitted')
  return (
    <section className="card p-5 sm:p-6" aria-label={t`Timeline`}>
      <h2 className="text-lg">{t`Timeline`}</h2>
      <ol className="mt-4 ml-1.5 border-l-2 border-line">
        {subject.steps.map((step) => (
          <li key={step.step + step.at} className="relative pb-6 pl-5 last:pb-0">
            <span
              aria-hidden
              className="absolute top-1.5 -left-[7px] size-3 rounded-full border-2 border-surface bg-brand"
            />
            <h3 className="text-base leading-snug font-number tracking-normal">{STEP_NAMES[step.step]}</h3>
            <time dateTime={step.at} className="text-sm text-dim">
              {formatDateTime(step.at)}
            </time>
            {step.decidedBy && REASONS[step.decidedBy] && (
              <p className="mt-1 text-sm">{REASONS[step.decidedBy]}</p>
            )}
            {step.coins && <p className="mt-1 text-sm">{formatCoins(step.coins)}</p>}
            {step.step === 'rejected' && <Rejection subject={subject} />}
            {step.text !== '' && !isShownAbove(step) && <UserText className="mt-1.5">{step.text}</UserText>}
            <StepPictures urls={step.pictures} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Rejection({ subject: { category, requirement, reason } }: { subject: Case }) {
  return (
    <>
      {category && <p className="mt-1.5 font-nav">{REJECTION_CATEGORY_NAMES[category]}</p>}
      {requirement !== '' && (
        <p className="mt-1.5 break-words">
          <Trans>
            <span className="text-dim">Requirement:</span> {requirement}
          </Trans>
        </p>
      )}
      {reason === '' && <p className="mt-1.5 text-dim">{t`No reason given.`}</p>}
    </>
  )
}

function StepPictures({ urls }: { urls: string[] }) {
  if (urls.length === 0) return null
  return (
    <ul className="mt-3 flex flex-wrap gap-2">
      {urls.map((url, index) => (
        <li key={url}>
          <a href={pictureSource(url)} target="_blank" rel="noopener noreferrer">
            <img
              src={thumbnailSource(url, 80)}
              alt={t`Open evidence ${{ number: formatNumber(index + 1) }} of ${{ count: formatNumber(urls.length) }} in a new tab`}
              loading="lazy"
              className="size-20 rounded-control bg-canvas object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  )
}
