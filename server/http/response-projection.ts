import type * as z from 'zod'
import { type Schema, schemaOf } from './openapi.ts'

/** Answers the same without what was not declared. */
export type Pick = (answer: unknown) => unknown

/**
 * What takes an answer down to the fields that the contract declares, at any depth; a declared field that is missing is
 * an Error. Several times cheaper than checking each value. Undefined where the shape is not one plain tree.
 */
export function projectionOf(reply: z.core.$ZodType): Pick | undefined {
  const schema = schemaOf(reply, 'output')
  return isPlain(schema) ? pickerOf(schema) : undefined
}

function pickerOf(schema: Schema): Pick {
  const { items, properties, required = [] } = notNull(schema)
  if (items !== undefined) {
    const pick = pickerOf(items as Schema)
    return (list) => (list as unknown[] | null)?.map(pick) ?? null
  }
  if (properties === undefined) return (value) => value

  const isRequired = new Set(required as string[])
  const fields = Object.entries(properties as Record<string, Schema>).map(([name, one]) => ({
    name,
    pick: isValue(notNull(one)) ? undefined : pickerOf(one),
    isRequired: isRequired.has(name),
  }))
  return (value) => {
    if (value === null) return null
    const picked: Record<string, unknown> = {}
    for (const { name, pick, isRequired: must } of fields) {
      const field = (value as Record<string, unknown>)[name]
      if (field !== undefined) picked[name] = pick === undefined ? field : pick(field)
      else if (must) throw new Error(`An answer has no ${name}, which its contract declares`)
    }
    return picked
  }
}

/** "This or null" as this. */
function notNull(schema: Schema): Schema {
  const others = (schema.anyOf as Schema[] | undefined)?.filter(({ type }) => type !== 'null') ?? []
  return others.length === 1 ? (others[0] as Schema) : schema
}

const isValue = ({ type, items, properties }: Schema) =>
  typeof type === 'string' && items === undefined && properties === undefined && type !== 'object'

/** Whether every part is a value, a list of plain parts, or an object that declares all its names. */
function isPlain(schema: Schema): boolean {
  const one = notNull(schema)
  const { items, properties, additionalProperties } = one
  if (items !== undefined) return isPlain(items as Schema)
  if (properties === undefined) return isValue(one)
  return additionalProperties === false && Object.values(properties as Record<string, Schema>).every(isPlain)
}
