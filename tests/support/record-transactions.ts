import type { Database, Statement } from '#server/database/database.ts'

/** Returns the database, whose transactions call `record` with each statement and its values before they run it. */
export function recordTransactions(
  database: Database,
  record: (statement: Statement, values: readonly unknown[]) => void,
): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          ...tx,
          run(statement, values) {
            record(statement, values)
            return tx.run(statement, values)
          },
        }),
      ),
  }
}
