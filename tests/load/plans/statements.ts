import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { STATEMENTS } from '#server/database/database.ts'
import { growsIn } from './judge.ts'

const SERVER = join(import.meta.dirname, '..', '..', '..', 'server')

/**
 * Plans every statement of the program as it runs after some calls, with its parameters unknown, and answers what in
 * them grows with the marketplace, by statement. Statements with a reason are left out.
 */
export async function growingStatements(client: pg.ClientBase): Promise<Map<string, string[]>> {
  for await (const path of glob('**/*.ts', { cwd: SERVER })) {
    if (!/\.test\.ts$|main\.ts$|-command\.ts$/.test(path)) await import(join(SERVER, path))
  }
  const growing = new Map<string, string[]>()
  for (const { name, sql } of STATEMENTS.values()) {
    if (NO_PLAN.test(sql) || REASONS.some(([pattern]) => pattern.test(name))) continue
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Parameters<typeof growsIn>[0] }] }>(
      `explain (generic_plan, format json) ${sql}`,
    )
    const found = rows[0] === undefined ? [] : growsIn(rows[0]['QUERY PLAN'][0].Plan)
    if (/\boffset\b/i.test(sql)) found.push('pages by offset')
    if (found.length > 0) growing.set(name, found)
  }
  return growing
}

/** What PostgreSQL has no plan for, and the tables of pg-boss, which plans its own. */
const NO_PLAN = /^\s*(savepoint|rollback|begin|commit|listen|notify|set|truncate)\b|\bjobs\.\w/i

/** Statements whose work may grow, and why. */
export const REASONS: [statement: RegExp, why: string][] = []
