import type { LinkPurpose } from '#contract/one-time-links.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { isUsableToken, type Purpose } from './mail-tokens.ts'
import { isUsableSetupCode } from './setup.ts'

const PURPOSES: Record<Exclude<LinkPurpose, 'setup'>, Purpose[]> = {
  reset: ['reset-password'],
  verify: ['verify-email', 'change-email'],
}

/** Returns whether a one-time link can still be used, without using it. */
export async function isUsableLink(
  database: Database,
  config: Config,
  { purpose, token }: { purpose: LinkPurpose; token: string },
): Promise<boolean> {
  return purpose === 'setup'
    ? isUsableSetupCode(database, config, token)
    : isUsableToken(database, token, PURPOSES[purpose])
}
