import pg from 'pg'

// Foreign keys of other tables that refer to a partitioned one. PostgreSQL detaches no partition to which rows of another table refer, also
// for the moment in which it gets its bound (docs/decisions/0103-partitions.md).

/** A foreign key of a table, as SQL defines it. */
type Reference = { table: string; name: string; definition: string; isValidated: boolean }

const quote = pg.escapeIdentifier

/** Returns the foreign keys that refer to a table. */
async function referencesTo(client: pg.Pool | pg.ClientBase, table: string): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select conrelid::regclass::text as table, conname as name, convalidated as "isValidated",
            replace(pg_get_constraintdef(oid), ' NOT VALID', '') as definition
       from pg_constraint where confrelid = to_regclass($1) and contype = 'f' and conparentid = 0 order by 1, 2`,
    [quote(table)],
  )
  return rows
}

/**
 * Drops the foreign keys that refer to a table in the caller's transaction, which locks their tables until it ends. Returns them for
 * `addReferences`.
 */
export async function dropReferences(client: pg.ClientBase, table: string): Promise<Reference[]> {
  const references = await referencesTo(client, table)
  if (references.length > 0) await client.query(`lock table ${quote(table)} in access exclusive mode`)
  for (const { table, name } of references)
    await client.query(`alter table ${table} drop constraint ${quote(name)}`)
  return references
}

/** Adds foreign keys again, without reading their tables: they hold for rows from now on, and `validateReferences` reads the others. */
export async function addReferences(client: pg.ClientBase, references: readonly Reference[]): Promise<void> {
  for (const { table, name, definition } of references)
    await client.query(`alter table ${table} add constraint ${quote(name)} ${definition} not valid`)
}

/** Validates the foreign keys that refer to a table and are not validated. Writes continue meanwhile. */
export async function validateReferences(pool: pg.Pool, table: string): Promise<void> {
  for (const { table: referring, name, isValidated } of await referencesTo(pool, table))
    if (!isValidated) await pool.query(`alter table ${referring} validate constraint ${quote(name)}`)
}
