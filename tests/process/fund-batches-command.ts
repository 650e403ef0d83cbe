import { fundDueBatches } from '#server/batches/fund.ts'
import { openDatabase } from '#server/database/database.ts'
import { LONG_TIMEOUTS } from '#tests/support/database.ts'
import { testConfig } from '#tests/support/factories.ts'

/** Funds due batches of the database whose URL is given. batches-killed.long.test.ts kills it. */
const [connectionString = ''] = process.argv.slice(2)
const database = openDatabase({ connectionString, ...LONG_TIMEOUTS }, { max: 4, prepare: true })
await fundDueBatches(database, testConfig)
await database.close()
