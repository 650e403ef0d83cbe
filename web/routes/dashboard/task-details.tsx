import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { Link, useParams } from 'react-router'
import { type TaskDetails as Details, taskDetails } from '#contract/tasks.ts'
import { AudienceDetails, IneligibleNotice } from '#web/features/audience/task-audience.tsx'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { BuyerRecordDetails } from '#web/features/records/buyer-record.tsx'
import { estimateWork } from '#web/features/records/work-estimate.ts'
import { LiveReservation, StartWork } from '#web/features/reservations/reservation-panel.tsx'
import { useReservation } from '#web/features/reservations/use-reservation.ts'
import { KeptDraft } from '#web/features/submissions/kept-draft.tsx'
import { OwnSubmission } from '#web/features/submissions/own-submission.tsx'
import { OpenRejection } from '#web/features/submissions/state-details.tsx'
import { SubmitForm } from '#web/features/submissions/submit-form.tsx'
import { TASK_CATEGORY_NAMES } from '#web/features/tasks/category-names.en.ts'
import { copyPath } from '#web/features/tasks/copy-path.ts'
import { detailText } from '#web/features/tasks/detail-text.ts'
import { OpenablePicture } from '#web/features/tasks/openable-picture.tsx'
import { SlotsLeft } from '#web/features/tasks/slots-left.tsx'
import { TaskLoader } from '#web/features/tasks/task-loader.tsx'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { formatDay, formatPeriod } from '#web/lib/format-time.ts'
import { mailto } from '#web/lib/mailto.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { UserText } from '#web/ui/user-text.tsx'

const OwnTask = lazyComponent(() => import('#web/features/tasks/own-task.tsx'))

/** Renders a task and the form to submit work. */
export default function TaskDetails() {
  const { id = '' } = useParams()
  return (
    <TaskLoader id={id} notFound={<KeptDraft taskId={id} />}>
      {(task) => <TaskScreen key={task._id} task={task} />}
    </TaskLoader>
  )
}

function TaskScreen({ task }: { task: Details }) {
  const { role, _id } = useUserData()
  const isOwn = task.buyerId === _id
  // A former Buyer still has their tasks, and can do nothing with them.
  const isManaged = isOwn && role === 'Buyer'
  // What is reserved can be submitted.
  const ineligibility = task.reservation === null ? task.ineligibility : null
  const buyer = task.buyer_name || t`Unknown`
  return (
    <Screen
      title={task.task_title}
      subtitle={t`By ${buyer}`}
      action={isManaged && <OwnTaskActions task={task} />}
    >
      <div className="grid grid-cols-1 items-start gap-5 @2xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="space-y-5">
          <section className="card p-5 sm:p-6">
            <div className="float-right mb-3 ml-4">
              {task.task_image_url === '' ? (
                <TaskPicture image="" category={task.category} size={72} />
              ) : (
                <OpenablePicture
                  image={task.task_image_url}
                  category={task.category}
                  title={task.task_title}
                />
              )}
            </div>
            <h2 className="text-lg">{t`What to do`}</h2>
            <UserText className="mt-2">{detailText(task)}</UserText>
            <h2 className="mt-6 text-lg">{t`What to submit`}</h2>
            <UserText className="mt-2">{task.submission_info}</UserText>
            {task.audience && <AudienceDetails audience={task.audience} />}
          </section>
          {isManaged && (
            <Suspense fallback={<ListSkeleton rows={3} />}>
              <OwnTask task={task} />
            </Suspense>
          )}
          {!isManaged && (
            <section className="card p-5 sm:p-6" aria-label={t`Submission`}>
              {task.rejection && <OpenRejection rejection={task.rejection} />}
              {ineligibility && task.submission === null && !isOwn && (
                <IneligibleNotice ineligibility={ineligibility} />
              )}
              {task.submission ? (
                <OwnSubmission
                  taskId={task._id}
                  submission={task.submission}
                  taskVersion={task.taskVersion}
                />
              ) : isOwn && role === 'Worker' ? (
                <p className="text-dim">{t`This is your own task.`}</p>
              ) : role === 'Worker' && task.isBatch ? (
                <WorkOnBatch taskId={task._id} />
              ) : role === 'Worker' ? (
                <Work task={task} ineligibility={ineligibility} />
              ) : (
                <>
                  <p className="text-dim">
                    {role === 'Admin'
                      ? t`Only workers can submit work. You are signed in as an Admin.`
                      : t`Only workers can submit work. You are signed in as a Buyer.`}
                  </p>
                  <KeptDraft taskId={task._id} />
                </>
              )}
            </section>
          )}
        </div>
        <Facts task={task} />
      </div>
    </Screen>
  )
}

function OwnTaskActions({ task }: { task: Details }) {
  return (
    <div className="flex flex-wrap gap-3">
      <LinkButton to={`/dashboard/update-task/${task._id}`} variant="default">
        {t`Update`}
      </LinkButton>
      {!task.isBatch && <LinkButton to={copyPath(task)} variant="default">{t`Duplicate`}</LinkButton>}
    </div>
  )
}

/** Renders the way to the items of a batch, which have a screen of their own. */
function WorkOnBatch({ taskId }: { taskId: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="max-w-prose text-dim">
        {t`This task has many items. They are reserved for you one after another, and each is paid when it is approved.`}
      </p>
      <LinkButton to={`/dashboard/batches/${taskId}/work`}>{t`Work on items`}</LinkButton>
    </div>
  )
}

/** Renders the form to submit work, and the reservation of a slot. */
function Work({ task, ineligibility }: { task: Details; ineligibility: Details['ineligibility'] }) {
  const queryClient = useQueryClient()
  const { reservation, hasExpired, isStarting, isReturning, start, returnSlot, expire } = useReservation(task)
  const showSubmission = ({ _id, text }: { _id: string; text: string }) => {
    const submission = {
      _id,
      taskVersion: task.taskVersion,
      status: 'pending' as const,
      state: 'pending' as const,
      submissoin_data: text,
      createdAt: new Date().toISOString(),
      dueAt: null,
      reviewBy: null,
    }
    queryClient.setQueryData(
      queryOf(taskDetails, { params: { id: task._id } }).queryKey,
      (cached) =>
        cached && {
          ...cached,
          worker: reservation === null ? cached.worker - 1 : cached.worker,
          submission,
          reservation: null,
        },
    )
  }
  // On a held task the form stays, with what was typed.
  const isHeld = ineligibility?.reason === 'held'
  const showsForm = ineligibility === null || isHeld
  return (
    <>
      <p role="status" className={showsForm ? 'sr-only' : 'font-nav'}>
        {hasExpired && t`Your reservation has expired.`}
      </p>
      {showsForm ? (
        <>
          {reservation === null ? (
            !isHeld && (
              <StartWork
                minutes={task.reservation_minutes}
                hasExpired={hasExpired}
                isFilled={task.worker < 1}
                isTaskClosed={task.isClosed}
                isStarting={isStarting}
                onStart={() => void start()}
              />
            )
          ) : (
            <LiveReservation
              reservation={reservation}
              isTaskClosed={task.isClosed}
              isReturning={isReturning}
              onReturn={() => void returnSlot()}
              onExpire={expire}
            />
          )}
          <SubmitForm
            task={task}
            taskVersion={task.taskVersion}
            isReserved={reservation !== null}
            isHeld={isHeld}
            onSent={showSubmission}
          />
        </>
      ) : (
        <KeptDraft taskId={task._id} />
      )}
    </>
  )
}

function Facts({ task }: { task: Details }) {
  const estimate = estimateWork(task.payable_amount, task.workSeconds)
  return (
    <section aria-label={t`About this task`} className="card p-5 @max-2xl:order-first">
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(7rem,40%)),1fr))] gap-x-4 gap-y-4 @2xl:grid-cols-1">
        <Fact name={t`Pay per task`}>
          <CoinAmount value={task.payable_amount} showUnit className="text-xl" />
        </Fact>
        <Fact name={task.isBatch ? t`Items left` : t`Workers left`}>
          <SlotsLeft slotsLeft={task.worker} slots={task.required_workers} closed={task.isClosed} bar />
        </Fact>
        <Fact name={t`Category`}>{TASK_CATEGORY_NAMES[task.category]}</Fact>
        <Fact name={t`Deadline`}>{formatDay(task.completion_date)}</Fact>
        <Fact name={t`Review`}>
          {t`Within ${{ period: formatPeriod(task.review_hours) }}, otherwise paid automatically`}
        </Fact>
        {estimate !== null && (
          <Fact name={t`Estimate`}>{t`Takes ${{ time: estimate.time }}, ${{ pay: estimate.pay }}`}</Fact>
        )}
        <Fact name={t`Buyer`}>
          <Link to={`/users/${task.buyerId}`} className="link">
            {task.buyer_name || t`Unknown`}
          </Link>
        </Fact>
        <Fact name={t`Buyer email`} wide>
          {task.buyer.includes('•') ? (
            <span className="text-sm break-all">{task.buyer}</span>
          ) : (
            <a href={mailto(task.buyer)} className="link text-sm break-all">
              {task.buyer}
            </a>
          )}
        </Fact>
      </dl>
      <h2 className="mt-5 mb-2 text-sm font-nav">{t`The buyer's record`}</h2>
      <BuyerRecordDetails record={task.buyerRecord} />
    </section>
  )
}

function Fact({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'col-span-full' : ''}>
      <dt className="text-xs text-dim">{name}</dt>
      <dd className="mt-0.5 font-nav">{children}</dd>
    </div>
  )
}
