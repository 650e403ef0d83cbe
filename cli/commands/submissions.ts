import { ok } from '@oazapfts/runtime'
import { taskToReview, updateSubmissionStatus } from '../client.ts'
import { type Command, oneOf, table } from '../command.ts'
import { asFailure, EXIT, type Failure, usageFailure } from '../failure.ts'
import { requireLogin } from '../login-file.ts'
import { moreText, PAGING, pagingOf, readPage } from '../page.ts'

const STATUSES = ['pending', 'approved', 'rejected'] as const

export const listSubmissions: Command = {
  usage: '[--status pending|approved|rejected] [--limit N] [--cursor CURSOR]',
  summary: 'list the submissions to your tasks; pending ones if no status is given',
  options: { ...PAGING, status: { type: 'string' } },
  async run(values) {
    const status = oneOf(values, 'status', STATUSES) ?? 'pending'
    const { email } = requireLogin()
    const page = await readPage(taskToReview(email, { ...pagingOf(values), status }))
    const rows = page.items.map((one) => [
      one._id,
      one.state,
      `${one.payable_amount}`,
      one.worker_name,
      one.task_title,
    ])
    const head = ['ID', 'STATE', 'COINS', 'WORKER', 'TASK']
    return { json: page, text: table([head, ...rows]) + moreText(page.nextCursor) }
  },
}

export const approveSubmissions: Command = {
  usage: 'ID…',
  summary: 'approve submissions; each worker is paid once, also when it is repeated',
  takesWords: true,
  async run(_values, ids) {
    if (ids.length === 0) throw usageFailure('Name at least one submission.')
    requireLogin()
    const results: Awaited<ReturnType<typeof approve>>[] = []
    let failure: Failure | undefined
    try {
      for (const id of ids) results.push(await approve(id, ids.length === 1))
    } catch (thrown) {
      // Workers were paid for the results so far.
      if (results.length === 0) throw thrown
      failure = asFailure(thrown)
    }
    const lines = results.map(({ id, changed, error }) =>
      error
        ? `${id}: ${error.message} (${error.code}) ${error.remedy}`
        : `${id}: ${changed ? 'approved' : 'was approved already'}`,
    )
    const exitCode = results.some(({ error }) => error) ? EXIT.refused : 0
    return { json: results, text: lines.join('\n'), exitCode, failure }
  },
}

/** Approves one submission. One that is refused does not stop the others; a failure that they share does. */
async function approve(id: string, isOnly: boolean) {
  try {
    const { modifiedCount } = await ok(updateSubmissionStatus(id, { status: 'approved' }))
    return { id, changed: modifiedCount > 0, error: null }
  } catch (thrown) {
    const failure = asFailure(thrown)
    if (isOnly || failure.exitCode !== EXIT.refused) throw failure
    const { code, message, remedy } = failure
    return { id, changed: false, error: { code, message, remedy } }
  }
}
