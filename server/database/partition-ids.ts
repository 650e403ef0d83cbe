// The ids by whose ranges tables are partitioned: numbers of an identity, or UUIDs of version 7, which begin with the milliseconds of
// their time (docs/decisions/0103-partitions.md).

const LOWEST_UUID = '00000000-0000-0000-0000-000000000000'
const TIME_DIGITS = 12

const isUuid = (id: string) => id.length === LOWEST_UUID.length

/** Returns a number that is negative when `one` is below `other`, 0 when they are equal. */
export function compareIds(one: string, other: string): number {
  if (isUuid(one)) return one < other ? -1 : Number(one > other)
  const difference = BigInt(one) - BigInt(other)
  return difference < 0n ? -1 : Number(difference > 0n)
}

/** Returns the distance from one id to a later one: a number of ids, or the milliseconds between the times of UUIDs. */
export const idsBetween = (from: string, to: string): number => positionOf(to) - positionOf(from)

/** Returns an id above all that are less than `distance` after `id`: a number of ids, or milliseconds for UUIDs. */
export function idAfter(id: string, distance: number): string {
  const position = positionOf(id) + Math.ceil(distance)
  if (!isUuid(id)) return String(position)
  const time = position.toString(16).padStart(TIME_DIGITS, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${LOWEST_UUID.slice(TIME_DIGITS + 1)}`
}

/** Returns the lowest id of a table whose ids have this type. */
export const lowestId = (type: string): string => (type === 'uuid' ? LOWEST_UUID : '0')

const positionOf = (id: string) =>
  isUuid(id) ? Number.parseInt(id.replaceAll('-', '').slice(0, TIME_DIGITS), 16) : Number(id)
