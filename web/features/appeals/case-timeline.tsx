import type { Case, CaseStep } from '#contract/appeals.ts'
import type { Decider } from '#contract/submission-states.ts'
import { CATEGORY_NAMES } from '#web/features/submissions/rejection-categories.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { pictureSource } from '#web/lib/picture-source.ts'
import { UserText } from '#web/ui/user-text.tsx'

const STEP_NAMES: Record<CaseStep['step'], string> = {
  submitted: 'Work submitted',
  revision_requested: 'Revision requested',
  revised: 'Revised work submitted',
  rejected: 'Work rejected',
  appealed: 'Rejection appealed',
  defended: 'Buyer stands by the rejection',
  review_upheld: 'Reviewer upheld the rejection',
  review_overturned: 'Reviewer overturned the rejection',
  approved: 'Work approved and paid',
  rejection_final: 'Rejection became final',
}

/** Why a state became final, where the steps before do not show it. */
const REASONS: Partial<Record<Decider, string>> = {
  time: 'The review period ended.',
  buyer_left: 'The buyer’s account was deleted.',
  worker_left: 'The worker’s account was deleted.',
  worker: 'The worker accepted the rejection.',
  concession: 'The buyer withdrew the rejection.',
  silence: 'The buyer did not respond to the appeal in time.',
  no_reviewer: 'No reviewer decided in time.',
  reversal: 'The buyer reversed the rejection.',
}

/** Renders everything said and moved in a case, oldest first. */
export function CaseTimeline({ subject }: { subject: Case }) {
  const isRevised = subject.steps.some(({ step }) => step === 'revised')
  // The page shows the current work above.
  const isShownAbove = ({ step }: CaseStep) => step === (isRevised ? 'revised' : 'submitted')
  return (
    <section className="card p-5 sm:p-6" aria-label="Timeline">
      <h2 className="text-lg">Timeline</h2>
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
      {category && <p className="mt-1.5 font-nav">{CATEGORY_NAMES[category]}</p>}
      {requirement !== '' && (
        <p className="mt-1.5 break-words">
          <span className="text-dim">Requirement:</span> {requirement}
        </p>
      )}
      {reason === '' && <p className="mt-1.5 text-dim">No reason given.</p>}
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
              src={pictureSource(url)}
              alt={`Open evidence ${index + 1} of ${urls.length} in a new tab`}
              loading="lazy"
              className="size-20 rounded-control bg-canvas object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  )
}
