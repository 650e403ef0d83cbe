import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { STATEMENTS, type Statement } from '#server/database/database.ts'
import { listStatement } from '#server/tasks/list.ts'
import { LIST_SHAPES } from '#server/tasks/list-query.ts'

const SERVER = join(import.meta.dirname, '..', '..', 'server')
/** Tests, and what runs in a process of its own: the decoder of pictures also changes what this process can decode. */
const NOT_IMPORTED = /\.test\.ts$|main\.ts$|-command\.ts$|images\/decoder\.ts$/

/** Statements of the model, whose tests may have run in this process. */
const OF_TESTS = /^model_/

/** Returns every statement of the server by its name, those included that are built on first use. */
export async function allStatements(): Promise<ReadonlyMap<string, Statement>> {
  for await (const path of glob('**/*.ts', { cwd: SERVER })) {
    if (!NOT_IMPORTED.test(path)) await import(join(SERVER, path))
  }
  for (const shape of LIST_SHAPES) listStatement(shape)
  return new Map([...STATEMENTS].filter(([name]) => !OF_TESTS.test(name)))
}
