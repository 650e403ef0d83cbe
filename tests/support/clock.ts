import type pg from 'pg'
import { type Database, openDatabase } from '#server/database/database.ts'
import { asServer, LONG_TIMEOUTS } from './database.ts'
import { KEPT_CONNECTIONS } from './emptied-database.ts'

/** So few that none of them is pipelined: those would not get the clock. */
const CONNECTIONS = 3

type Clocked = { database: Database; moment: Date }

/** Databases with a clock that nobody uses now, by their URL. Their connections have planned their statements. */
const unused = new Map<string, Clocked[]>()

/** The same database for a server whose clock is set to this time. */
export async function atTime<Result>(
  url: string,
  moment: Date,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const clocked = unused.get(url)?.pop() ?? openClocked(url)
  clocked.moment = moment
  try {
    await setClocks(clocked)
    // The server caches some results by database.
    return await work({ ...clocked.database })
  } finally {
    unused.set(url, [...(unused.get(url) ?? []), clocked])
  }
}

function openClocked(url: string): Clocked {
  const clocked = { moment: new Date() } as Clocked
  clocked.database = openDatabase(
    {
      connectionString: asServer(url),
      application_name: KEPT_CONNECTIONS,
      allowExitOnIdle: true,
      verify: (client, done) => void setClock(client, clocked.moment).then(() => done(), done),
      ...LONG_TIMEOUTS,
    },
    { max: CONNECTIONS, prepare: true },
  )
  return clocked
}

/** Sets the clock of the connections that are open; others get it when they are opened, also in place of one that breaks. */
async function setClocks({ database: { pool }, moment }: Clocked): Promise<void> {
  const connects = Array.from({ length: pool.totalCount }, () => pool.connect())
  for (const connected of await Promise.allSettled(connects)) {
    if (connected.status === 'rejected') continue
    const client = connected.value
    await setClock(client, moment).then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
  }
}

async function setClock(client: pg.ClientBase, moment: Date): Promise<void> {
  await client.query(`select set_config('tallywork.clock', $1, false)`, [moment.toISOString()])
}

/** A moment this many days, hours or minutes after another. */
export function later(moment: Date, { days = 0, hours = 0, minutes = 0 }): Date {
  return new Date(moment.getTime() + ((days * 24 + hours) * 60 + minutes) * 60_000)
}
