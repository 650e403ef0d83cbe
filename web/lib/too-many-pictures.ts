import { plural } from '@lingui/core/macro'
import { formatNumber } from '#web/lib/format.ts'

/** Returns why more pictures were chosen than there is room for, of `max` in total. */
export function tooManyPictures(max: number, room: number): string {
  const left = formatNumber(room)
  return room > 0
    ? plural(max, {
        one: 'You can add # picture. Choose one.',
        other: `You can add up to # pictures. Choose up to ${left}.`,
      })
    : plural(max, {
        one: 'You can add # picture. Remove it to add another.',
        other: 'You can add up to # pictures. Remove one to add another.',
      })
}
