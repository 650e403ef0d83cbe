import PQueue from 'p-queue'
import type { PictureFailure } from '#contract/batch-problems.ts'
import { BATCH_PROBLEMS_MAX, PICTURE_CHECK_MINUTES } from '#contract/batches.ts'
import type { ProjectContent } from '#contract/projects.ts'
import { type Database, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'
import { byRow } from './check-rows.ts'
import { CONTENT, chunksOf, type StoredProblem } from './queries.ts'
import { readRows } from './read-rows.ts'

/** Requests that are sent at a time: in all, to one host, and of one file. */
const REQUESTS_MAX = 32
const HOST_REQUESTS_MAX = 8
const FILE_REQUESTS_MAX = 8
/** After this many failures to respond in a row a host is not requested any more for a file. */
const HOST_FAILURES_MAX = 10
/** Files that are checked at a time, one of each buyer. */
const FILES_MAX = 200
/** Results are stored after this many pictures, which a crash repeats. */
const PAGE = 100
/** After this time a run ends, so that the next one begins with the files that have come meanwhile too. */
const RUN_MS = 30_000
/** A claim outlasts a run and the last requests of it. */
const CLAIM_SECONDS = 90

/** The result of a picture that is not requested because its host does not respond. */
const NOT_CHECKED = 'not_checked'

/** Requests a picture. Returns why it does not load, another status than 200 as a number, or null. */
type CheckPicture = (url: string) => Promise<PictureFailure | number | null>

// A buyer's files are checked one after another, so that nobody gets more requests by more files.
const dueFiles = query<{ id: string }, [limit: number]>(
  'batches_with_pictures_to_check',
  `with checking as materialized (
     select id, buyer_id, pictures_claimed_until from batches where state = 'checking' and pictures > 0),
   oldest as (select distinct on (buyer_id) id, pictures_claimed_until from checking order by buyer_id, id)
   select id from oldest
    where coalesce(pictures_claimed_until, '-infinity') < clock_time() order by id limit $1`,
)
type Claimed = { content: ProjectContent; ms_left: number }
const claimFile = query<Claimed, [batch: string, minutes: number, claimSeconds: number]>(
  'claim_batch_pictures',
  `update batches
      set pictures_until = coalesce(pictures_until, clock_time() + make_interval(mins => $2)),
          pictures_claimed_until = clock_time() + make_interval(secs => $3)
    where id = $1 and state = 'checking' and pictures > 0 and coalesce(pictures_claimed_until, '-infinity') < clock_time()
   returning ${CONTENT}, extract(epoch from pictures_until - clock_time())::float8 * 1000 as ms_left`,
)
const releaseFile = query<never, [batch: string]>(
  'release_batch_pictures',
  'update batches set pictures_claimed_until = null where id = $1',
)
type Picture = { number: number; url: string }
const picturesToRequest = query<Picture, [batch: string, after: number, limit: number]>(
  'batch_pictures_to_request',
  `select number, url from batch_pictures
    where batch_id = $1 and number > $2 and result is null order by number limit $3`,
)
const storeResults = query<never, [batch: string, results: string]>(
  'store_batch_pictures',
  `with stored as (
     update batch_pictures set result = given.result
       from jsonb_to_recordset($2::jsonb) as given(number int, result text)
      where batch_id = $1 and batch_pictures.number = given.number and batch_pictures.result is null returning batch_pictures.result)
   update batches set pictures_checked = pictures_checked + (select count(*) from stored where result <> '${NOT_CHECKED}')
    where id = $1 and state = 'checking'`,
)
const failuresOf = query<{ url: string; result: string }, [batch: string]>(
  'failures_of_batch_pictures',
  `select url, result from batch_pictures where batch_id = $1 and result not in ('', '${NOT_CHECKED}')`,
)
const reportOf = queryOne<{ problems: StoredProblem[]; not_checked: number }, [batch: string]>(
  'report_before_batch_pictures',
  'select problems, pictures - pictures_checked as not_checked from batches where id = $1',
)
const endCheck = query<{ id: string }, [batch: string, warnings: number, problems: string]>(
  'end_batch_picture_check',
  `with ended as (
     update batches
        set state = 'checked', checked_at = clock_time(), warnings = warnings + $2, problems = $3, pictures_claimed_until = null
      where id = $1 and state = 'checking' and pictures > 0 returning id),
   deleted as (delete from batch_pictures where batch_id = $1 and exists (select from ended))
   select id from ended`,
)

/**
 * Requests the pictures in the files whose rows are read and have no errors, and ends their checks. Returns the number of checks that
 * ended. A file with slow hosts delays neither other buyers' files nor the check of rows: each has its own requests, and the next run
 * continues it. An interrupted check continues when its claim has expired.
 */
export function checkDuePictures(database: Database, check: CheckPicture): Promise<number> {
  const run = { check, limit: createLimit(), endsAt: Date.now() + RUN_MS }
  return processDueRows(database, dueFiles, (id) => checkFile(database, id, run), FILES_MAX)
}

type Run = { check: CheckPicture; limit: ReturnType<typeof createLimit>; endsAt: number }

/** Returns a function that runs a request when fewer than the maximum run in all and to its host. */
function createLimit() {
  const all = new PQueue({ concurrency: REQUESTS_MAX })
  const hosts = new Map<string, PQueue>()
  return <Result>(host: string, request: () => Promise<Result>): Promise<Result> => {
    const ofHost = hosts.get(host) ?? new PQueue({ concurrency: HOST_REQUESTS_MAX })
    hosts.set(host, ofHost)
    return ofHost.add(() => all.add(request))
  }
}

/** Checks the pictures of one file until the run or the time of the file is over. Returns whether its check ended. */
async function checkFile(database: Database, id: string, run: Run): Promise<boolean> {
  if (Date.now() >= run.endsAt) return false
  const [file] = await claimFile(database, id, PICTURE_CHECK_MINUTES, CLAIM_SECONDS)
  if (file === undefined) return false
  const fileEndsAt = Date.now() + file.ms_left
  const endsAt = Math.min(run.endsAt, fileEndsAt)
  const request = createRequests(run, endsAt)
  let last = 0
  while (Date.now() < endsAt) {
    const page = await picturesToRequest(database, id, last, PAGE)
    if (page.length === 0) return end(database, id, file.content)
    const results = (await Promise.all(page.map(request))).filter((result) => result !== undefined)
    await storeResults(database, id, JSON.stringify(results))
    last = page.at(-1)?.number ?? last
  }
  if (Date.now() >= fileEndsAt) return end(database, id, file.content)
  await releaseFile(database, id)
  return false
}

/** Returns a function that requests a picture of a file and returns its result, or undefined after `endsAt`. */
function createRequests({ check, limit }: Run, endsAt: number) {
  const ofFile = new PQueue({ concurrency: FILE_REQUESTS_MAX })
  const failures = new Map<string, number>()
  return ({ number, url }: Picture) =>
    ofFile.add(() => {
      const { host } = new URL(url)
      return limit(host, async () => {
        if ((failures.get(host) ?? 0) >= HOST_FAILURES_MAX) return { number, result: NOT_CHECKED }
        if (Date.now() >= endsAt) return undefined
        const failure = await check(url)
        const hasFailed = failure === 'timeout' || failure === 'unreachable'
        failures.set(host, hasFailed ? (failures.get(host) ?? 0) + 1 : 0)
        return { number, result: String(failure ?? '') }
      })
    })
}

/** Ends the check of a file with the pictures that did not load, by row and column. Returns false for a batch that was cancelled. */
async function end(database: Database, id: string, { pictureColumns }: ProjectContent): Promise<boolean> {
  const report = await reportOf(database, id)
  const failures = new Map((await failuresOf(database, id)).map(({ url, result }) => [url, result]))
  const problems: StoredProblem[] = []
  let warnings = 0
  const add = (problem: StoredProblem) => {
    warnings++
    if (problems.length < BATCH_PROBLEMS_MAX) problems.push(problem)
  }
  if (report.not_checked > 0)
    add({
      row: null,
      column: null,
      kind: 'pictures_not_checked',
      parameter: report.not_checked.toLocaleString('en'),
    })
  if (failures.size > 0) {
    const { columns, rows } = await readRows(chunksOf(database, id), pictureColumns)
    const places = pictureColumns.map((column) => ({ column, place: columns.indexOf(column) }))
    for await (const { row, values } of rows) {
      for (const { column, place } of places) {
        const failure = failures.get((values[place] ?? '').trim())
        if (failure !== undefined) add({ row, column, kind: 'picture_not_loaded', parameter: failure })
      }
    }
  }
  const listed = [...report.problems, ...problems].toSorted(byRow).slice(0, BATCH_PROBLEMS_MAX)
  return (await endCheck(database, id, warnings, JSON.stringify(listed))).length > 0
}
