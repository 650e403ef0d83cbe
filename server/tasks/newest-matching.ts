import { LIST_LIMIT_MAX } from '#contract/product.ts'

/** How many tasks of the list are read before an index is asked. */
const NEAREST = 256
/** The first group of buckets has this many, and each other group is this many times as long as the group before. */
const GROWTH = 4
/** After a group of this many, the buckets of the next group are of the next size, as long as there is one. */
const BUCKETS_MAX = 16
/** Tasks older than this many groups of buckets are searched without buckets. */
const GROUPS = 4

/** An id begins with its time in milliseconds, as twelve hexadecimal digits. Its first digits are its bucket. */
const ID_DIGITS = 12
/** The sizes of buckets that the search indexes have: 50 days, 3 days, 5 hours, 17 minutes. */
const BUCKET_DIGITS = [4, 5, 6, 7]
/** A bucket contains this many of the next smaller size. */
const PER_DIGIT = 16
/** As in the definition of the indexes. */
const BUCKETS = `array[${BUCKET_DIGITS.map((digits) => `left(id::text, ${digits})`).join(', ')}]`

const msOf = (id: string) =>
  `('x' || translate(left(${id}::text, ${ID_DIGITS + 1}), '-', ''))::bit(48)::bigint`

type Search = {
  /** The condition that puts a task on the list, without the page. */
  scope: string
  /** The same with the page. */
  listed: string
  /** The condition of the index of the list. */
  indexed: string
  /** The parts of the table with an index of their own that contain the list. */
  parts: string[]
  /** The condition on the words. */
  words: string
  /** Other conditions, each with `and` before it. */
  andRest: string
}

/**
 * Selects the ids of a page of the newest tasks that contain the words. Its cost depends on how far back the page reaches, and
 * not on how many tasks contain the words:
 *
 * 1. `near`: the first tasks of the list are read. When many tasks match, they contain a whole page.
 * 2. `walk`: an index finds the words in buckets of time, newest first: in groups of 4 and 16 buckets, then of 4 and 16 that are
 *    16 times as long. The first are of the smallest size that is as long as the time between the nearest tasks. Where they are of
 *    the largest size already, the groups have 4, 16, 64 and 256 buckets. `until` is the id down to which all was searched; the
 *    first bucket of a larger size contains it, or ends with it.
 * 3. `rest`: an index finds all tasks that match. Only when there are older tasks, and too few were found.
 */
export function newestMatchingIds({ scope, listed, indexed, parts, words, andRest }: Search): string {
  const matching = (condition: string) =>
    parts
      .map(
        (part) => `select id from tasks where ${part} and ${scope} and ${condition} and ${words}${andRest}`,
      )
      .join(' union all ')
  const nearest = (columns: string) =>
    `(select ${columns} from tasks where ${listed} order by id desc limit ${NEAREST}) as tasks`
  const firstIdOf = (bucket: string) => `rpad(lpad(to_hex(${bucket}), digits, '0'), 32, '0')::uuid`
  const isFull = `buckets = ${BUCKETS_MAX} and digits > ${Math.min(...BUCKET_DIGITS)}`
  return `with recursive near as materialized (
      select id from ${nearest('*')} where ${words}${andRest} order by id desc limit $1),
    span as materialized (
      select (array_agg(id order by id desc))[1] as first, (array_agg(id order by id desc))[${NEAREST}] as last,
             (select id from tasks where ${indexed} order by id limit 1) as oldest
        from ${nearest('id')} where (select count(*) from near) < $1),
    walk (until, oldest, digits, newest_bucket, buckets, groups, found, ids) as (
      select last, oldest, digits, ${msOf('last')} >> (4 * (${ID_DIGITS} - digits)), ${GROWTH}, 0, (select count(*) from near), '{}'::uuid[]
        from (select *, ${digitsFor(`${msOf('first')} - ${msOf('last')}`)} as digits from span where last is not null) as start
      union all
      select ${firstIdOf('newest_bucket - buckets + 1')}, oldest,
             case when ${isFull} then digits - 1 else digits end,
             case when ${isFull} then (newest_bucket - buckets) / ${PER_DIGIT} else newest_bucket - buckets end,
             case when ${isFull} then ${GROWTH} else buckets * ${GROWTH} end,
             groups + 1, found + cardinality(group_ids), group_ids
        from walk
       cross join lateral (
         select array_agg(lpad(to_hex(number), digits, '0')) as prefixes
           from generate_series(newest_bucket - buckets + 1, newest_bucket) as number) as bucket_group
       cross join lateral (
         with matching as materialized (${matching(`${BUCKETS} && prefixes`)})
         select array(select id from matching where id < until order by id desc limit ${LIST_LIMIT_MAX + 1}) as group_ids) as matches
       where found < $1 and digits is not null and until > oldest and groups < ${GROUPS}),
    walked as materialized (
      select found, until, until <= oldest as is_whole from walk order by groups desc limit 1),
    rest as materialized (
      ${matching('exists (select from walked where found < $1 and not is_whole)')})
    select id from (
      select id from (
        select id from near union all select unnest(ids) from walk
        union all select id from rest where id < (select until from walked)) as tasks
       order by id desc limit ${LIST_LIMIT_MAX + 1}) as tasks
     order by id desc limit $1`
}

/** Returns SQL for the number of digits of the smallest bucket that is as long as this; null when none is. */
function digitsFor(spanMs: string): string {
  const sizes = BUCKET_DIGITS.toReversed().map(
    (digits) => `when ${spanMs} <= ${2 ** (4 * (ID_DIGITS - digits))} then ${digits}`,
  )
  return `case ${sizes.join(' ')} end`
}
