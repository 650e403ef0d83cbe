import { type Database, openDatabase } from '#server/database/database.ts'
import { asServer, LONG_TIMEOUTS } from './database.ts'

/** The same database for a server whose clock is set to this time. */
export async function atTime<Result>(
  url: string,
  moment: Date,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const options = `-c tallywork.clock=${moment.toISOString()}`
  const database = openDatabase(
    { connectionString: asServer(url), options, ...LONG_TIMEOUTS },
    { max: 8, prepare: true },
  )
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** A moment this many days, hours or minutes after another. */
export function later(moment: Date, { days = 0, hours = 0, minutes = 0 }): Date {
  return new Date(moment.getTime() + ((days * 24 + hours) * 60 + minutes) * 60_000)
}
