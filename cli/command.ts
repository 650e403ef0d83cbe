import type { ParseArgsOptionsConfig } from 'node:util'
import { type Failure, usageFailure } from './failure.ts'

export type Values = Record<string, string | boolean | undefined>

/** What a command prints: `json` with `--json`, otherwise `text`, and then the failure that stopped it. */
export type Output = { json: unknown; text: string; exitCode?: number; failure?: Failure | undefined }

export type Command = {
  /** The arguments, as the help shows them. */
  usage: string
  summary: string
  options?: ParseArgsOptionsConfig
  /** Whether words follow the name that belong to no option, such as ids. */
  takesWords?: boolean
  /** Writes to the standard output itself, if it returns nothing. */
  run(values: Values, words: string[]): Promise<Output | undefined>
}

/** Returns the value of an option. @throws Failure if it is missing. */
export function required(values: Values, name: string): string {
  const value = values[name]
  if (typeof value !== 'string' || value === '') throw usageFailure(`--${name} is missing.`)
  return value
}

export function optional(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns an option as a whole number. @throws Failure for another text. */
export function whole(values: Values, name: string): number {
  const text = required(values, name)
  if (!/^\d{1,9}$/.test(text)) throw usageFailure(`--${name} is not a whole number: ${text}`)
  return Number(text)
}

/** Returns an option that is one of these values. @throws Failure for another text. */
export function oneOf<Value extends string>(
  values: Values,
  name: string,
  known: readonly Value[],
): Value | undefined {
  const text = optional(values, name)
  if (text === undefined) return undefined
  const value = known.find((one) => one === text)
  if (value === undefined) throw usageFailure(`--${name} is one of ${known.join(', ')}, not ${text}.`)
  return value
}

/** Returns text without control characters, which a terminal would obey. */
export const plain = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')

/** Returns rows as aligned columns. */
export function table(rows: string[][]): string {
  const cells = rows.map((row) => row.map(plain))
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? []
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
