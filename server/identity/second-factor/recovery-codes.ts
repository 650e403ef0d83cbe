import { createHash, randomInt } from 'node:crypto'
import { type Db, query, queryOne, type Tx } from '#server/database/database.ts'

const CODES = 10
const CODE_LENGTH = 16
/** 32 characters without 0, 1, l and o, which are easily confused. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz'

const replaceCodes = query<never, [identityId: string, hashes: Buffer[]]>(
  'recovery_codes_replace',
  `with old as (delete from recovery_codes where identity_id = $1)
   insert into recovery_codes (identity_id, hash) select $1, unnest($2::bytea[])`,
)
const consumeCode = query<{ identity_id: string }, [identityId: string, hash: Buffer]>(
  'recovery_code_consume',
  'delete from recovery_codes where identity_id = $1 and hash = $2 returning identity_id',
)
const countCodes = queryOne<{ count: number }, [identityId: string]>(
  'recovery_codes_count',
  'select count(*) from recovery_codes where identity_id = $1',
)

/** Replaces the recovery codes of an identity. Returns the new codes; only their hashes are stored. */
export async function createRecoveryCodes(tx: Tx, identityId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, createCode)
  await replaceCodes(
    tx,
    identityId,
    codes.map((code) => hashOf(identityId, normalised(code))),
  )
  return codes
}

/** Consumes a recovery code. Returns false for an unknown or used one. */
export async function useRecoveryCode(tx: Tx, identityId: string, code: string): Promise<boolean> {
  return (await consumeCode(tx, identityId, hashOf(identityId, normalised(code)))).length > 0
}

export async function countRecoveryCodes(db: Db, identityId: string): Promise<number> {
  return (await countCodes(db, identityId)).count
}

function createCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}

function normalised(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase()
}

function hashOf(identityId: string, code: string): Buffer {
  return createHash('sha256').update(`${identityId} ${code}`).digest()
}
