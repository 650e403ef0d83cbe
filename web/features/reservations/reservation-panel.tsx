import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Reservation } from '#contract/reservations.ts'
import { formatCountdown, useCountdown, useExpiry } from '#web/features/reservations/use-countdown.ts'
import { formatMinutes } from '#web/lib/format-time.ts'
import { PlainButton } from '#web/ui/button.tsx'

type LiveProps = {
  reservation: Reservation
  isTaskClosed: boolean
  isReturning: boolean
  onReturn: () => void
  /** Called when the time is over by the clock of the device, and repeatedly while the reservation is still there. */
  onExpire: () => void
}

/** Renders the countdown of a reservation, and the way to return its slot. */
export function LiveReservation({ reservation, isTaskClosed, isReturning, onReturn, onExpire }: LiveProps) {
  const { expiresAt } = reservation
  const seconds = useCountdown(expiresAt)
  useExpiry(seconds === 0, onExpire)
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3 rounded-control border border-line px-4 py-3">
      <div>
        <h2 className="text-base">{t`A slot is reserved for you`}</h2>
        <p className="text-sm text-dim">
          <Trans>
            Submit within{' '}
            <span role="timer" className="font-number text-ink tabular-nums">
              {formatCountdown(seconds)}
            </span>
            .
          </Trans>
          {isTaskClosed && <> {t`The task is closed, but your work is still accepted.`}</>}
        </p>
        <p role="status" className="sr-only">
          {announcement(seconds)}
        </p>
      </div>
      <PlainButton variant="default" busy={isReturning} onClick={onReturn}>{t`Return the slot`}</PlainButton>
    </div>
  )
}

/** Returns what a screen reader announces: twice before the end, and not every second. */
function announcement(seconds: number): string {
  if (seconds > 300) return ''
  return seconds > 60 ? t`Less than 5 minutes left to submit.` : t`Less than 1 minute left to submit.`
}

type StartProps = {
  minutes: number
  /** The worker's reservation has just expired. */
  hasExpired: boolean
  isFilled: boolean
  isTaskClosed: boolean
  isStarting: boolean
  onStart: () => void
}

/** Renders the offer to reserve a slot, or what happened to the last reservation. */
export function StartWork({ minutes, hasExpired, isFilled, isTaskClosed, isStarting, onStart }: StartProps) {
  if (isFilled && !hasExpired) return null
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3 rounded-control border border-line px-4 py-3">
      <p className="max-w-prose text-sm text-dim">
        {hasExpired && (
          <>
            <Trans>
              <strong className="text-ink">Your reservation has expired.</strong> Your text has been kept.
            </Trans>{' '}
          </>
        )}
        {isTaskClosed
          ? t`The task is closed, so no slot can be reserved.`
          : isFilled
            ? t`All slots are taken now. One may become free again.`
            : hasExpired
              ? t`You can reserve a slot again, or submit directly while slots are left.`
              : t`Start work to reserve a slot for ${{ period: formatMinutes(minutes) }}. Nobody else can take it in that time.`}
      </p>
      {!isFilled && <PlainButton busy={isStarting} onClick={onStart}>{t`Start work`}</PlainButton>}
    </div>
  )
}
