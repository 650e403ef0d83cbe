import type { FastifyReply } from 'fastify'
import { sendAnswersCsv } from '#server/batches/answer-files.ts'
import { applyDecisions } from '#server/batches/decide.ts'
import { fundDueBatches } from '#server/batches/fund.ts'
import { ownBatch } from '#server/batches/queries.ts'
import { openDatabase, query } from '#server/database/database.ts'
import { LONG_TIMEOUTS } from '#tests/support/database.ts'
import { testConfig } from '#tests/support/factories.ts'

/** Does one step of batches.ts, which kills it: funds a batch, approves its answers, or exports them. */
const [connectionString = '', step = '', batchId = ''] = process.argv.slice(2)
const DECISIONS = 500
const database = openDatabase({ connectionString, ...LONG_TIMEOUTS }, { max: 4, prepare: true })
const ownerOfBatch = query<{ buyer_id: string; task_id: string }, [batch: string]>(
  'owner_of_measured_batch',
  'select buyer_id, task_id from batches where id = $1',
)
const pendingOf = query<{ id: string }, [task: string, limit: number]>(
  'pending_of_measured_batch',
  `select id from submissions where task_id = $1 and status = 'pending' order by id limit $2`,
)

const STEPS: Record<string, () => Promise<unknown>> = {
  fund: () => fundDueBatches(database, testConfig),

  decide: async () => {
    const [batch] = await ownerOfBatch(database, batchId)
    if (batch === undefined) throw new Error(`There is no batch ${batchId}`)
    for (;;) {
      const pending = await pendingOf(database, batch.task_id, DECISIONS)
      if (pending.length === 0) return
      const decisions = pending.map(({ id: submission }) => ({ submission, decision: 'approve' }) as const)
      await applyDecisions(database, testConfig, batch.task_id, batch.buyer_id, decisions)
    }
  },

  export: async () => {
    const [batch] = await ownerOfBatch(database, batchId)
    const row = await ownBatch(database, batchId, batch?.buyer_id ?? '')
    const reply = { header: () => reply } as unknown as FastifyReply
    let lines = -1
    for await (const piece of sendAnswersCsv(reply, database, row, false))
      lines += String(piece).split('\r\n').length - 1
    if (lines !== row.items) throw new Error(`${lines} rows of ${row.items} were exported`)
  },
}
await STEPS[step]?.()
await database.close()
