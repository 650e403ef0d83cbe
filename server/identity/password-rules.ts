import { ADMIN_PASSWORD_MIN } from '#contract/product.ts'
import type { RefusalKey } from '#contract/refusals.en.ts'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

/** Shorter names and local parts occur in good passwords too. */
const WORD_MIN = 4
/** The first words of the list are refused with any digits and characters after them, such as "Password1!". */
const COMMONEST = 50

const PRODUCT = 'tallywork'
const SUBSTITUTES: Record<string, string> = { '@': 'a', $: 's', 0: 'o', 3: 'e', 5: 's', 7: 't' }

const readIsAdmin = query<{ is_admin: boolean }, [id: string]>(
  'password_of_admin',
  `select exists (select from users where id = $1 and role = 'Admin' and deleted_at is null) as is_admin`,
)

/** Returns whether this user is an Admin, whose password is longer. */
export async function isAdmin(db: Db, identityId: string): Promise<boolean> {
  const [row] = await readIsAdmin(db, identityId)
  return row?.is_admin ?? false
}

/** Returns whether a password is long enough for an Admin. It is stored with the password. */
export function suitsAdmin(password: string): boolean {
  return [...password.normalize('NFKC').toLowerCase()].length >= ADMIN_PASSWORD_MIN
}

/**
 * Refuses passwords that satisfy the rules of the contract and are easy to guess
 * (docs/specification/identity.md#input-rules).
 * @throws Refusal `invalid_fields`.
 */
export async function requireStrongPassword(
  config: Config,
  password: string,
  { email, admin }: { email: string; admin: boolean },
): Promise<void> {
  const text = password.normalize('NFKC').toLowerCase()
  if (admin && !suitsAdmin(password)) throw weak('invalid_fields.password_of_admin')
  const [localPart = ''] = email.normalize('NFKC').toLowerCase().split('@')
  const words = [localPart, PRODUCT, config.name.normalize('NFKC').toLowerCase()]
  if (
    words.some((word) => word.length >= WORD_MIN && withSubstitutes(text).includes(withSubstitutes(word)))
  ) {
    throw weak('invalid_fields.password_contains')
  }
  if (await isCommon(text)) throw weak('invalid_fields.password_common')
}

async function isCommon(text: string): Promise<boolean> {
  const { passwords, commonest } = await loadCommonPasswords()
  return [text, withSubstitutes(text)].some(
    (candidate) => passwords.has(candidate) || commonest.has(candidate.replace(/[^\p{L}]+$/u, '')),
  )
}

let loading: Promise<{ passwords: Set<string>; commonest: Set<string> }> | undefined

/** Loads the list at the first new password: it takes some megabytes. */
function loadCommonPasswords() {
  loading ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const list = dictionary['passwords-common']
    return { passwords: new Set(list), commonest: new Set(list.slice(0, COMMONEST)) }
  })
  return loading
}

function withSubstitutes(text: string): string {
  return Array.from(text, (character) => SUBSTITUTES[character] ?? character).join('')
}

function weak(key: RefusalKey & `invalid_fields.password_${string}`): Refusal {
  return new Refusal(key, { field: 'password' })
}
