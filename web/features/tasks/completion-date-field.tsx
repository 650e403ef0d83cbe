import { t } from '@lingui/core/macro'
import type { DateInputProps } from '@mantine/dates'
import { useSite } from '#web/features/site/site.ts'
import { weekOf } from '#web/lib/weekend.ts'
import { DateField } from '#web/ui/date-field.tsx'

/** Renders the field for a task's last day, in the marketplace's time zone: today or later, with the weekend of its country. */
export function CompletionDateField(props: DateInputProps) {
  const site = useSite()
  return (
    <DateField
      label={t`Completion date`}
      placeholder={t`Last day to submit`}
      required
      minDate={site?.today}
      {...weekOf(site?.timeZone ?? '')}
      {...props}
    />
  )
}
