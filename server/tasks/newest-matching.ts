import { LIST_LIMIT_MAX } from '#contract/product.ts'

/** How many tasks of the list are read before an index is asked. */
const NEAREST = 256
/** The first group of buckets has this many, each other group this many times as many as the group before. */
const GROWTH = 4
/** Older tasks than this many groups of buckets are searched without buckets. */
const GROUPS = 4

/** An id begins with its time in milliseconds, as twelve hexadecimal digits. Its first digits are its bucket. */
const ID_DIGITS = 12
/** The sizes of buckets that the search indexes have: 50 days, 3 days, 5 hours, 17 minutes. */
const BUCKET_DIGITS = [4, 5, 6, 7]
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
 * 2. `walk`: an index finds the words in buckets of time, in groups of 4, 16, 64 and 256 buckets, newest first. A bucket is
 *    the smallest that as many tasks fill at the rate at which the nearest were posted.
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
  const bucketOf = (id: string) => `${msOf(id)} >> (4 * (${ID_DIGITS} - digits))`
  return `with recursive near as materialized (
      select id from ${nearest('*')} where ${words}${andRest} order by id desc limit $1),
    span as materialized (
      select (array_agg(id order by id desc))[1] as first, (array_agg(id order by id desc))[${NEAREST}] as last,
             (select id from tasks where ${indexed} order by id limit 1) as oldest
        from ${nearest('id')} where (select count(*) from near) < $1),
    walk (last, digits, newest_bucket, oldest_bucket, buckets, found, ids) as (
      select last, digits, ${bucketOf('last')}, ${bucketOf('oldest')}, ${GROWTH}, (select count(*) from near), '{}'::uuid[]
        from (select *, ${digitsFor(`${msOf('first')} - ${msOf('last')}`)} as digits from span where last is not null) as start
      union all
      select last, digits, newest_bucket - buckets, oldest_bucket, buckets * ${GROWTH}, found + cardinality(group_ids), group_ids
        from walk
       cross join lateral (
         select array_agg(lpad(to_hex(number), digits, '0')) as prefixes
           from generate_series(newest_bucket - buckets + 1, newest_bucket) as number) as bucket_group
       cross join lateral (
         with matching as materialized (${matching(`${BUCKETS} && prefixes`)})
         select array(select id from matching where id < last order by id desc limit ${LIST_LIMIT_MAX + 1}) as group_ids) as matches
       where found < $1 and newest_bucket >= oldest_bucket and buckets <= ${GROWTH ** GROUPS}),
    walked as materialized (
      select found, newest_bucket < oldest_bucket as is_whole,
             coalesce(rpad(lpad(to_hex(newest_bucket + 1), digits, '0'), 32, '0')::uuid, last) as until
        from walk order by buckets desc limit 1),
    rest as materialized (
      ${matching('exists (select from walked where found < $1 and is_whole is not true)')})
    select id from (
      select id from (
        select id from near union all select unnest(ids) from walk
        union all select id from rest where id < (select until from walked)) as tasks
       order by id desc limit ${LIST_LIMIT_MAX + 1}) as tasks
     order by id desc limit $1`
}

/** The number of digits of the smallest bucket that is as long as this; null when none is. */
function digitsFor(spanMs: string): string {
  const sizes = BUCKET_DIGITS.toReversed().map(
    (digits) => `when ${spanMs} <= ${2 ** (4 * (ID_DIGITS - digits))} then ${digits}`,
  )
  return `case ${sizes.join(' ')} end`
}
