import type { Database } from '#server/database/database.ts'
import { audit } from '#server/ledger/audit.ts'
import type { Actor } from './actor.ts'

export type Comparison = {
  acknowledged: number
  lost: string[]
  doubled: string[]
  wrongBalances: string[]
  balanced: boolean
}

const STARTING = { Buyer: 50, Worker: 10 } as const
const userWith = (email: string) => `select id from users where email_key = ${email}`
/** The queries that find what was acknowledged, by the id that the journal has and by whose journal it is. */
const HAPPENED: Record<string, string> = {
  reserve: `select from reservations where task_id = $1 and worker_id = (${userWith('$2')})`,
  return: `select from reservations where task_id = $1 and worker_id = (${userWith('$2')}) and outcome = 'returned'`,
  appeal: `select from appeals where submission_id = $1 and worker_id = (${userWith('$2')})`,
  defend: `select from appeals join submissions on submissions.id = submission_id
            where submission_id = $1 and buyer_id = (${userWith('$2')}) and defended_at is not null`,
  concede: `select from submissions where id = $1 and buyer_id = (${userWith('$2')}) and decided_by = 'concession'`,
  overturn: `select from reviews where submission_id = $1 and reviewer_id = (${userWith('$2')}) and decision = 'overturned'`,
  uphold: `select from reviews where submission_id = $1 and reviewer_id = (${userWith('$2')}) and decision = 'upheld'`,
}
const MADE_IN = { post: 'tasks', submit: 'submissions', withdraw: 'withdrawals' } as const

/** Compares what was acknowledged with what is stored: nothing missing, nothing twice, every balance what its journal says. */
export async function compare(
  database: Database,
  actors: readonly Actor[],
  extraCoins: number,
): Promise<Comparison> {
  const { pool } = database
  const lost: string[] = []
  const doubled: string[] = []
  const wrongBalances: string[] = []

  for (const { user, role, specialRole, journal } of actors) {
    const { rows } = await pool.query<{ id: string; balance: number }>(
      'select users.id, balance from users join ledger_accounts on ledger_accounts.id = account_id where email_key = $1',
      [user.email],
    )
    const [there] = rows
    const due =
      STARTING[role] +
      (role === 'Buyer' || specialRole === 'payee' ? extraCoins : 0) +
      journal.reduce((sum, { coins }) => sum + coins, 0)
    if (there?.balance !== due) wrongBalances.push(`${user.email} has ${there?.balance} instead of ${due}`)

    for (const [call, table] of Object.entries(MADE_IN)) {
      const owner = table === 'tasks' ? 'buyer_id' : 'worker_id'
      const made = journal.filter((entry) => entry.call === call).map((entry) => entry.made)
      const found = await pool.query<{ id: string }>(`select id from ${table} where ${owner} = $1`, [
        there?.id,
      ])
      const ids = new Set(found.rows.map(({ id }) => id))
      lost.push(...made.filter((id) => id === undefined || !ids.has(id)).map((id) => `${call} ${id}`))
      if (ids.size > made.length)
        doubled.push(`${user.email}: ${ids.size - made.length} more in ${table} than acknowledged`)
    }
  }
  const decided = actors.flatMap(({ journal }) =>
    journal.filter(({ call }) => call === 'approve' || call === 'reject'),
  )
  for (const { call, made } of decided) {
    // A rejection is not final before its appeal window ends.
    const { rows } = await pool.query<{ decision: string }>(
      `select case when rejected_at is null then status::text else 'rejected' end as decision
         from submissions where id = $1`,
      [made],
    )
    if (rows[0]?.decision !== (call === 'approve' ? 'approved' : 'rejected')) lost.push(`${call} ${made}`)
  }
  for (const { user, journal } of actors) {
    for (const { call, made } of journal) {
      const happened = HAPPENED[call]
      if (happened === undefined) continue
      const { rowCount } = await pool.query(happened, [made, user.email])
      if (rowCount === 0) lost.push(`${call} ${made}`)
    }
    const reserved = journal.filter(({ call }) => call === 'reserve').length
    const { rowCount } = await pool.query(`select from reservations where worker_id = (${userWith('$1')})`, [
      user.email,
    ])
    if ((rowCount ?? 0) > reserved) doubled.push(`${user.email}: more reservations than acknowledged`)
  }
  const { balanced } = await audit(database)
  return {
    acknowledged: actors.reduce((sum, { journal }) => sum + journal.length, 0),
    lost,
    doubled,
    wrongBalances,
    balanced,
  }
}
