import { ADMIN_PASSWORD_MIN } from '#contract/product.ts'
import type { RefusalKey } from '#contract/refusals.en.ts'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

/** Shorter names and local parts occur in good passwords too. */
const WORD_MIN = 4
/** The first entries of the list are refused with any digits and characters after them, such as "P@ssword123". */
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

/** Returns whether a password is on the list, also one that ends in a digit with characters added, such as "Welcome1!". */
async function isCommon(text: string): Promise<boolean> {
  const { passwords, commonest } = await loadCommonPasswords()
  const spellings = [text, withSubstitutes(text)]
  if (spellings.some((spelling) => passwords.has(spelling))) return true
  const lettersAndDigits = text.replace(/[^\p{L}\d]+/gu, '')
  if (/\d$/.test(lettersAndDigits) && passwords.has(lettersAndDigits)) return true
  return commonest.some(
    (word) =>
      spellings.some((spelling) => spelling.startsWith(word)) && !/\p{L}/u.test(text.slice(word.length)),
  )
}

let loading: Promise<{ passwords: Set<string>; commonest: readonly string[] }> | undefined

/** Loads the list at the first new password: it takes some megabytes. */
function loadCommonPasswords() {
  loading ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const list = dictionary['passwords-common']
    return { passwords: new Set(list), commonest: list.slice(0, COMMONEST) }
  })
  return loading
}

function withSubstitutes(text: string): string {
  return Array.from(text, (character) => SUBSTITUTES[character] ?? character).join('')
}

function weak(key: RefusalKey & `invalid_fields.password_${string}`): Refusal {
  return new Refusal(key, { field: 'password' })
}
