/** Time zones of countries where Friday and Saturday are the weekend; elsewhere it is Saturday and Sunday. */
const FRIDAY_AND_SATURDAY = new Set([
  'Africa/Algiers',
  'Africa/Cairo',
  'Africa/Khartoum',
  'Africa/Tripoli',
  'Asia/Aden',
  'Asia/Amman',
  'Asia/Baghdad',
  'Asia/Bahrain',
  'Asia/Damascus',
  'Asia/Dhaka',
  'Asia/Kuwait',
  'Asia/Muscat',
  'Asia/Qatar',
  'Asia/Riyadh',
])

type DayOfWeek = 0 | 1 | 5 | 6

/** Returns the weekend and the first day of the week in a time zone. 0 is Sunday. */
export function weekOf(timeZone: string): { weekendDays: DayOfWeek[]; firstDayOfWeek: DayOfWeek } {
  return FRIDAY_AND_SATURDAY.has(timeZone)
    ? { weekendDays: [5, 6], firstDayOfWeek: 0 }
    : { weekendDays: [6, 0], firstDayOfWeek: 1 }
}
