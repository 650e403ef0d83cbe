import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Answers } from '#contract/answer-form.ts'
import type { ReservedItem } from '#contract/items.ts'
import type { TaskDetails } from '#contract/tasks.ts'
import { AnswerFields } from '#web/features/projects/answer-fields.tsx'
import { ItemView } from '#web/features/projects/item-view.tsx'
import { estimateWork } from '#web/features/records/work-estimate.ts'
import { formatCountdown, useCountdown, useExpiry } from '#web/features/reservations/use-countdown.ts'
import { itemDraftKey } from '#web/features/submissions/send-work.ts'
import { ApiError, errorMessage } from '#web/lib/api.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatMinutes } from '#web/lib/format-time.ts'
import { pictureSource } from '#web/lib/picture-source.ts'
import { savesData } from '#web/lib/prefetch.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useUserData } from '#web/lib/session.tsx'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { showError } from '#web/ui/dialogs.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { UploadNotice } from '#web/ui/upload-notice.tsx'
import { useAnswers } from './use-answers.ts'
import { useItems } from './use-items.ts'
import { useOptionKeys } from './use-option-keys.ts'

/** Renders the work on the items of a batch, one after another. */
export function WorkOnItems({ task }: { task: TaskDetails }) {
  const { work, waitingItems, take, submit, stop, refetch } = useItems(task._id)
  const navigate = useNavigate()
  const isShown = useIsShown()
  const [isBusy, setIsBusy] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const [notice, setNotice] = useState<string | null>(null)
  const [submitted, setSubmitted] = useState<{ number: number; wasSent: boolean }>()
  // What is typed for an item that is replaced goes to no other one.
  const [isReplaced, setIsReplaced] = useState(false)
  const lastSent = useRef<number>(null)
  const [item, next] = work.reserved

  const takeNext = async () => {
    setIsBusy(true)
    setNotice(null)
    setIsReplaced(false)
    try {
      await take()
    } catch (error) {
      setNotice(errorMessage(error))
    } finally {
      setIsBusy(false)
    }
  }
  const send = async (sent: ReservedItem, answers: Answers, idempotencyKey: string) => {
    setIsSending(true)
    const { reserved, left, wasSent } = await submit(sent, answers, idempotencyKey).finally(() =>
      setIsSending(false),
    )
    lastSent.current = sent.number
    setNotice(null)
    setIsReplaced(false)
    setSubmitted({ number: sent.number, wasSent })
    // A worker who has left the screen gets no other item.
    if (reserved.length > 0 || !wasSent || !isShown()) return
    if (left > 0) await takeNext()
    else setNotice(t`No items are available for you at the moment.`)
  }
  /** Reads again what is reserved, and shows the reason if the item is not part of it any more. */
  const replace = async ({ number }: ReservedItem, reason: string) => {
    setIsReplaced(true)
    const { data } = await refetch()
    // Its time ended while it was being sent.
    if (lastSent.current === number) return
    if (!data?.reserved.some((reserved) => reserved.number === number)) setNotice(reason)
  }
  const offline =
    waitingItems.length > 0 ? t`You are offline. Your answers are sent when you are back online.` : null
  const start = useFocusRecovery<HTMLElement>(item === undefined)
  const leave = async () => {
    setIsBusy(true)
    try {
      await stop()
      if (isShown()) await navigate('/dashboard/available-task')
      if (work.submitted > 0)
        void toast({
          message: plural(work.submitted, { one: 'You submitted # item.', other: 'You submitted # items.' }),
        })
    } catch (error) {
      void showError(t`Error`, t`Something went wrong!`, errorMessage(error))
      setIsBusy(false)
    }
  }

  return (
    <div className="grid grid-cols-1 items-start gap-5 @2xl:grid-cols-[minmax(0,1fr)_20rem]">
      <p role="status" className="sr-only">
        {submitted && announcementOf(submitted, waitingItems)}
      </p>
      {item === undefined ? (
        <section
          ref={start}
          aria-label={t`Start`}
          tabIndex={-1}
          className="card space-y-4 p-5 outline-none sm:p-6"
        >
          <h2 className="text-lg">
            {work.submitted > 0 ? t`No item is reserved for you` : t`Ready to start?`}
          </h2>
          <p className="text-dim">{t`Items are reserved for you one at a time, for ${{ time: formatMinutes(task.reservation_minutes) }} each. You can stop whenever you like.`}</p>
          <FormError message={notice ?? offline} />
          <div className="flex flex-wrap gap-3">
            <Button loading={isBusy} onClick={() => void takeNext()}>
              {work.submitted > 0 ? t`Next item` : t`Start working`}
            </Button>
            <Button
              component={Link}
              to="/dashboard/available-task"
              variant="default"
            >{t`Available Tasks`}</Button>
          </div>
        </section>
      ) : (
        <div className="space-y-5">
          <FormError message={notice} />
          <ItemForm
            key={item.number}
            item={item}
            takesFocus={work.submitted > 0 && !isReplaced}
            onBegin={() => {
              // Failing is no problem yet: it is tried again when the worker needs the item.
              if (next === undefined && work.left > 0) void take().catch(() => {})
            }}
            onRefused={(reason) =>
              void replace(
                item,
                t`Item ${{ number: formatNumber(item.number) }} was not submitted. ${{ reason }}`,
              )
            }
            onExpire={() =>
              void replace(item, t`Your time for item ${{ number: formatNumber(item.number) }} has expired.`)
            }
            send={(answers, { idempotencyKey }) => send(item, answers, idempotencyKey)}
          />
        </div>
      )}
      {next !== undefined && <NextPictures item={next} />}
      <section aria-label={t`Your work`} className="card p-5 @max-2xl:order-first">
        <Totals task={task} submitted={work.submitted} left={work.left} />
        {item !== undefined && (
          <Button
            variant="default"
            fullWidth
            className="mt-4"
            disabled={isSending}
            loading={isBusy}
            onClick={() => void leave()}
          >{t`Stop and return the item`}</Button>
        )}
      </section>
    </div>
  )
}

/**
 * Loads the pictures of the next item into the browser's cache, so that it is shown at once and also offline; not where the
 * user saves data (docs/decisions/0073-data-saver.md).
 */
function NextPictures({ item: { pictures } }: { item: ReservedItem }) {
  if (savesData()) return null
  return pictures.map(({ column, url }) => <img key={column} src={pictureSource(url)} alt="" hidden />)
}

/** Returns what a screen reader says of the item that was submitted last; nothing where its answers no longer wait. */
function announcementOf(item: { number: number; wasSent: boolean }, waitingItems: number[]): string {
  const number = formatNumber(item.number)
  if (item.wasSent) return t`Item ${number} was submitted.`
  return waitingItems.includes(item.number) ? t`Item ${number} is waiting to be sent.` : ''
}

function Totals({ task, submitted, left }: { task: TaskDetails; submitted: number; left: number }) {
  const estimate = estimateWork(task.payable_amount, task.workSeconds)
  return (
    <StatList>
      <StatRow name={t`Pay per item`}>{formatCoins(task.payable_amount)}</StatRow>
      <StatRow name={t`You submitted`}>{formatNumber(submitted)}</StatRow>
      <StatRow name={t`Paid when approved`}>{formatCoins(submitted * task.payable_amount)}</StatRow>
      <StatRow name={t`Left for all workers`}>{formatNumber(left)}</StatRow>
      {estimate !== null && (
        <>
          <StatRow name={t`Median time per item`}>{estimate.time}</StatRow>
          <StatRow name={t`At that pace`}>{estimate.pay}</StatRow>
        </>
      )}
    </StatList>
  )
}

type ItemProps = {
  item: ReservedItem
  takesFocus: boolean
  onBegin: () => void
  onRefused: (reason: string) => void
  onExpire: () => void
  send: (answers: Answers, attempt: { idempotencyKey: string }) => Promise<void>
}

function ItemForm({ item, takesFocus, onBegin, onRefused, onExpire, send }: ItemProps) {
  const { _id: userId } = useUserData()
  const { answers, setAnswers, errors, failure, upload, isUploading, isSending, submit } = useAnswers({
    draftKey: itemDraftKey(userId, item.taskId, item.number),
    initial: {},
    send,
    onFailure: (error) => {
      if (error instanceof ApiError && error.status === 409) onRefused(errorMessage(error))
    },
  })
  const form = useRef<HTMLFormElement>(null)
  const hasBegun = useRef(false)

  // The next item continues where the hands are.
  useEffect(() => {
    if (!takesFocus) return
    form.current?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true })
    form.current?.closest('section')?.scrollIntoView?.({ block: 'nearest' })
  }, [takesFocus])

  const change = (entered: Answers) => {
    setAnswers(entered)
    if (!hasBegun.current) onBegin()
    hasBegun.current = true
  }
  const [active, setActive] = useOptionKeys({
    form: item.form,
    answers,
    onChange: change,
    onSubmit: () => void submit(),
  })

  return (
    <section
      aria-label={t`Item ${{ number: formatNumber(item.number) }}`}
      className="card space-y-5 p-5 sm:p-6"
    >
      <Timer number={item.number} expiresAt={item.expiresAt} onExpire={onExpire} />
      <ItemView item={item} />
      <form
        ref={form}
        noValidate
        className="space-y-5 border-t border-line pt-5"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <AnswerFields
          form={item.form}
          answers={answers}
          errors={errors}
          active={active}
          onActive={setActive}
          onChange={change}
          upload={upload}
        />
        <FormError message={failure} />
        {isUploading && <UploadNotice />}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm text-dim max-sm:hidden">
            {active === undefined
              ? t`Ctrl or ⌘ Enter submits.`
              : t`Keys 1 to 9 choose an option. Ctrl or ⌘ Enter submits.`}
          </p>
          <Button
            type="submit"
            disabled={isUploading}
            loading={isSending}
            className="max-sm:w-full"
            aria-keyshortcuts="Control+Enter"
          >
            {t`Submit and next`}
          </Button>
        </div>
      </form>
    </section>
  )
}

type TimerProps = { number: number; expiresAt: string; onExpire: () => void }

function Timer({ number, expiresAt, onExpire }: TimerProps) {
  const seconds = useCountdown(expiresAt)
  const time = formatCountdown(seconds)
  useExpiry(seconds === 0, onExpire)
  return (
    <div className="flex flex-wrap justify-between gap-x-4 text-sm text-dim">
      <h2 className="font-nav">{t`Item ${{ number: formatNumber(number) }}`}</h2>
      <span>
        <Trans>
          Submit within{' '}
          <span role="timer" className="font-number text-ink tabular-nums">
            {time}
          </span>
        </Trans>
      </span>
    </div>
  )
}
