import '@mantine/dates/styles.layer.css'
import { t } from '@lingui/core/macro'
import { DateInput, type DateInputProps } from '@mantine/dates'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatDay, formatMonth } from '#web/lib/format-time.ts'
import { LOCALE } from '#web/lib/locale.ts'
import { parseDay } from '#web/lib/parse-day.ts'
import { IconCalendar } from '#web/ui/icons.ts'

/** Renders a field for a calendar day. Its calendar has the language and the digits of the page. */
export function DateField(props: DateInputProps) {
  return (
    <DateInput
      size="md"
      valueFormat={formatDay}
      dateParser={parseDay}
      monthLabelFormat={(day) => formatMonth(day.slice(0, 7))}
      yearLabelFormat={formatYear}
      decadeLabelFormat={(first, last) => `${formatYear(first)} – ${formatYear(last)}`}
      monthsListFormat={formatMonthName}
      yearsListFormat={formatYear}
      weekdayFormat={formatWeekday}
      renderDay={(day) => formatNumber(Number(day.slice(8, 10)))}
      getDayAriaLabel={formatLongDay}
      ariaLabels={LABELS}
      popoverProps={{ withinPortal: false }}
      leftSection={<IconCalendar size={18} stroke={1.8} aria-hidden />}
      {...props}
    />
  )
}

const LABELS = {
  previousMonth: t`Previous month`,
  nextMonth: t`Next month`,
  previousYear: t`Previous year`,
  nextYear: t`Next year`,
  previousDecade: t`Previous decade`,
  nextDecade: t`Next decade`,
}

const formatYear = formatted({ year: 'numeric' })
const formatMonthName = formatted({ month: 'short' })
const formatWeekday = formatted({ weekday: 'short' })
const formatLongDay = formatted({ dateStyle: 'long' })

/** Returns a function that formats a calendar day. */
function formatted(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const locale = LOCALE === DEFAULT_LOCALE ? 'en-GB' : LOCALE
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  return (day) => format.format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
}
