import { t } from '@lingui/core/macro'
import { TextInput, type TextInputProps } from '@mantine/core'
import { SCHEDULE_DAYS_MAX } from '#contract/task-drafts.ts'

/** Renders the field for the time at which something is posted, in the time zone of the browser. */
export function PostAtField(props: TextInputProps) {
  const now = Date.now()
  return (
    <TextInput
      label={t`Post at`}
      description={t`Your local time (${{ timeZone: timeZone() }})`}
      type="datetime-local"
      required
      data-autofocus
      min={localTime(new Date(now))}
      max={localTime(new Date(now + SCHEDULE_DAYS_MAX * 86_400_000))}
      {...props}
    />
  )
}

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns a time as an input of the type `datetime-local` has it: the browser's local time, to the minute. */
export function localTime(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
