import { HttpError } from '@oazapfts/runtime'
import { ERROR_GUIDE } from '#contract/error-guide.en.ts'
import type { ErrorReply } from '#contract/errors.ts'

/** The exit codes of the command (server/api-docs/guides/command-line.md). */
export const EXIT = { refused: 1, usage: 2, key: 3, unavailable: 4 } as const

/** An error that the command reports: what happened and what the user does about it. */
export class Failure extends Error {
  readonly exitCode: number
  readonly code: string
  readonly remedy: string
  readonly fields: Record<string, string> | undefined

  constructor(
    exitCode: number,
    code: string,
    message: string,
    remedy = '',
    fields?: Record<string, string> | undefined,
  ) {
    super(message)
    this.exitCode = exitCode
    this.code = code
    this.remedy = remedy
    this.fields = fields
  }
}

export const usageFailure = (message: string) =>
  new Failure(EXIT.usage, 'usage', message, 'Run tallywork --help.')

/** Returns the failure that an error of the client means. An error of another kind is a defect and is thrown. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof HttpError) return ofResponse(error.status, error.data)
  // The only files are that of the login and that of the key.
  if (error instanceof Error && 'syscall' in error)
    return new Failure(EXIT.key, 'system_error', `System error: ${error.message}.`)
  // The fetch of Node throws a TypeError whose cause is the error of the connection.
  if (!(error instanceof TypeError && error.cause instanceof Error)) throw error
  const { message, code = '' } = error.cause as NodeJS.ErrnoException
  return new Failure(
    EXIT.unavailable,
    'unreachable',
    `The server cannot be reached: ${message || code}.`,
    'Check the URL of the login and your connection, then run the command again.',
  )
}

/** Returns the failure of a response that is no success. A proxy may have sent one that is no error of the API. */
export function ofResponse(status: number, body: unknown): Failure {
  const error = errorOf(body)
  const exitCode =
    status >= 500 || status === 429 ? EXIT.unavailable : status === 401 ? EXIT.key : EXIT.refused
  if (error === undefined)
    return new Failure(
      exitCode,
      `http_${status}`,
      status < 400 ? 'There is no API at this URL.' : `The server responded with status ${status}.`,
      'Check the URL of the login.',
    )
  const { remedy = '' } = ERROR_GUIDE[error.code as keyof typeof ERROR_GUIDE] ?? {}
  return new Failure(exitCode, error.code, error.message, remedy, error.fields)
}

function errorOf(body: unknown): ErrorReply['error'] | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  const { error } = body as ErrorReply
  return typeof error?.code === 'string' && typeof error.message === 'string' ? error : undefined
}
