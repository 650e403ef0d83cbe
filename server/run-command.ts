import pg from 'pg'
import { BadConfig } from './bad-config.ts'

/**
 * Runs a command of the operator. A failure that the operator can act on is printed as a sentence, a defect of the server
 * with its stack; both end with exit code 1.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    console.error(failureText(error))
    process.exitCode = 1
  }
}

/** Returns what the operator reads of a failure. */
export function failureText(error: unknown): unknown {
  if (error instanceof BadConfig) return error.message
  if (error instanceof pg.DatabaseError) return `Database error: ${error.message}.`
  if (error instanceof Error && 'syscall' in error) return `System error: ${error.message}.`
  return error
}
