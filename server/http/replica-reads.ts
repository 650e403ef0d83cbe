import type { FastifyRequest } from 'fastify'
import type { Context } from '#server/context.ts'
import type { Database } from '#server/database/database.ts'
import type { Caller } from './caller.ts'
import { asRefusal } from './errors.ts'
import { createRecentWrites } from './recent-writes.ts'

/** Reads that a replica may serve, by the server that served them. `repeated` are those of the primary that a replica failed. */
export type ReadCounts = { replica: number; primary: number; repeated: number }

export type ReplicaReads = {
  /** Runs a read on a replica that is good enough for this request, else on the primary. */
  read<Result>(
    request: FastifyRequest,
    caller: Caller | null,
    run: (database: Database) => Promise<Result>,
  ): Promise<Result>
  /** Runs a write, after which its user reads from the primary for some seconds. */
  write<Result>(caller: Caller | null, run: () => Promise<Result>): Promise<Result>
  readonly counts: ReadCounts
}

/** Chooses between the primary and its replicas (docs/decisions/0094-read-replicas.md). */
export function createReplicaReads(
  { database, replicas, keys }: Pick<Context, 'database' | 'replicas' | 'keys'>,
  log: FastifyRequest['log'],
): ReplicaReads {
  const counts: ReadCounts = { replica: 0, primary: 0, repeated: 0 }
  const recentWrites = createRecentWrites(database, (err) => log.warn({ err }, 'a write was not marked'))

  /** Returns whether a request may be served by a replica. API keys belong to programs that read what they were notified of. */
  async function mayLag({ headers }: FastifyRequest, caller: Caller | null): Promise<boolean> {
    if (caller?.key) return false
    const userId = caller?.identityId ?? (await bearerOf(headers.authorization))
    if (userId === 'nobody') return true
    return userId !== undefined && !(await recentWrites.has(userId))
  }

  /** Returns the user of a token of this installation, 'nobody' without a token, or undefined for any other token. */
  async function bearerOf(header: string | undefined): Promise<string | undefined> {
    if (header === undefined || header === '') return 'nobody'
    const [, token = ''] = /^Bearer +([\w.-]+)$/i.exec(header) ?? []
    return keys.verify(token).then(
      ({ sub }) => sub,
      () => undefined,
    )
  }

  return {
    counts,
    async read(request, caller, run) {
      if (!replicas.any) return run(database)
      const replica = (await mayLag(request, caller)) ? replicas.choose() : undefined
      if (replica?.database !== undefined) {
        try {
          const result = await run(replica.database)
          counts.replica++
          return result
        } catch (error) {
          // Also after a refusal: what was not found may have been created since.
          const { code } = asRefusal(error)
          if (code === 'internal' || code === 'unavailable') {
            request.log.warn({ reason: (error as Error).message }, 'a read failed on a replica')
            counts.repeated++
            replica.pause()
          }
        }
      }
      counts.primary++
      return run(database)
    },
    write(caller, run) {
      return replicas.any && caller !== null ? recentWrites.mark(caller.identityId, run) : run()
    },
  }
}
