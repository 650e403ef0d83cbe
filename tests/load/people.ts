import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { openSigningKeys } from '#server/identity/signing-keys.ts'
import { PASSWORD } from './world/build.ts'
import { adminNumber, buyerNumber, emailOf, type Shape, userId, workerNumber } from './world/shape.ts'

/** The ID tokens of everybody who calls, and the password they all have. */
export type People = { admin: string; buyers: string[]; workers: string[]; password: string }

/** Signs the callers' tokens with the server's own keys, good for the whole run. */
export async function signedIn(
  database: Database,
  config: Config,
  shape: Shape,
  hours: number,
): Promise<People> {
  const keys = await openSigningKeys(database, config)
  const expires = new Date(Date.now() + hours * 3_600_000)
  // A user's session has the user's id.
  const tokenOf = (k: number) =>
    keys.sign({ sub: userId(shape, k), sid: userId(shape, k), email: emailOf(k), name: `User ${k}` }, expires)
  const callers = Array.from({ length: shape.callers }, (_, index) => index)
  return {
    admin: await tokenOf(adminNumber(0)),
    buyers: await Promise.all(callers.map((index) => tokenOf(buyerNumber(shape, index)))),
    workers: await Promise.all(callers.map((index) => tokenOf(workerNumber(shape, index)))),
    password: PASSWORD,
  }
}
