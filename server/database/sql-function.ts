import { type Db, queryOne, type StatementOptions } from './database.ts'

/**
 * Returns a statement that calls an SQL function with named arguments, for functions with many parameters. The keys of
 * the arguments are the function's parameters without their prefix `p_`.
 */
export function sqlFunction<Arguments extends Record<string, unknown>, Value = void>(
  name: string,
  parameters: readonly (keyof Arguments & string)[],
  options: StatementOptions = {},
): (db: Db, values: Arguments) => Promise<Value> {
  const list = parameters.map((parameter, index) => `p_${parameter} => $${index + 1}`).join(', ')
  const run = queryOne<{ value: Value }, unknown[]>(name, `select ${name}(${list}) as value`, options)
  return async (db, values) => (await run(db, ...parameters.map((parameter) => values[parameter]))).value
}
