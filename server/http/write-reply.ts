import compile from 'fast-json-stringify'
import type * as z from 'zod'
import { type Schema, schemaOf } from './openapi.ts'

/** Writes an answer as JSON. */
export type WriteReply = (answer: unknown) => string

/**
 * A writer compiled from what the contract says of an answer. It writes the declared fields and no others; a declared
 * field that is missing is an Error. Undefined where the shape is one that it would have to try out.
 */
export function writerOf(reply: z.core.$ZodType): WriteReply | undefined {
  const schema = withoutDetails(schemaOf(reply, 'output'))
  const { type, nullable } = schema
  if ((type !== 'object' && type !== 'array') || nullable === true) return undefined
  return isPlain(schema) ? compile(schema) : undefined
}

/**
 * Types alone: what a text must look like is for checking, and a text of a declared format would be written without
 * looking for quotes in it. "This or null" is said as the compiler knows it.
 */
function withoutDetails(schema: Schema): Schema {
  const { type, properties, required, items, anyOf, additionalProperties } = schema
  if (Array.isArray(anyOf)) {
    const others = (anyOf as Schema[]).filter((one) => one.type !== 'null')
    if (others.length < anyOf.length && others.length === 1)
      return { ...withoutDetails(others[0] as Schema), nullable: true }
  }
  return {
    ...(type !== undefined && { type }),
    ...(anyOf !== undefined && { anyOf }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, Schema>).map(([name, one]) => [
          name,
          withoutDetails(one),
        ]),
      ),
    }),
    ...(required !== undefined && { required }),
    ...(items !== undefined && { items: withoutDetails(items as Schema) }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  }
}

/** Whether every part has one known type, and an object all its names. */
function isPlain({ type, properties, items, additionalProperties }: Schema): boolean {
  if (type === 'array') return items !== undefined && isPlain(items as Schema)
  if (type !== 'object') return typeof type === 'string'
  if (properties === undefined || additionalProperties !== false) return false
  return Object.values(properties as Record<string, Schema>).every(isPlain)
}
