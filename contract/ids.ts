import * as z from 'zod/mini'
import { Id } from './shapes.ts'

const IDS_PER_REQUEST = 100

/** Ids in a query, separated by commas. */
export const Ids = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(IDS_PER_REQUEST * 37)),
    z.transform((ids) => ids.split(',')),
  ),
  z.array(Id).check(z.maxLength(IDS_PER_REQUEST)),
)
