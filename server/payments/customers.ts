import { query } from '#server/database/database.ts'
import { processEach } from './process-each.ts'
import { MissingPermission, StoredFailure } from './provider.ts'
import type { Cards } from './settle.ts'

type BuyerRow = {
  name: string
  email: string
  created_on: string
  details_hash: string
  customer_id: string | null
  /** Whether the customer has this name and email. */
  is_current: boolean
}

const buyerOf = query<BuyerRow, [userId: string]>(
  'card_customer_of_user',
  `select users.name, users.email, to_char(users.created_at, 'YYYY-MM-DD') as created_on, details.hash as details_hash, card_customers.customer_id,
          card_customers.details_hash = details.hash as is_current
     from users left join card_customers on card_customers.user_id = users.id,
          lateral (select md5(users.name || chr(10) || users.email) as hash) as details
    where users.id = $1 and users.deleted_at is null`,
)
/**
 * Stores the customer of a user in place of the one that was read, which is null without one. The user's row is locked
 * because two inserts of the same customer fail at its unique constraint, which `on conflict (user_id)` does not cover.
 */
const storeCustomer = query<
  never,
  [userId: string, customerId: string, detailsHash: string, before: string | null]
>(
  'card_customer_store',
  `insert into card_customers as stored (user_id, customer_id, details_hash)
   select id, $2, $3 from users where id = $1 for no key update
   on conflict (user_id) do update set customer_id = excluded.customer_id, details_hash = excluded.details_hash
    where stored.customer_id = $4`,
)
/** Claims customers of deleted users: never-tried ones first, then the longest ago. */
const claimDeleted = query<{ user_id: string; customer_id: string }, [count: number]>(
  'card_customers_claim_deleted',
  `update card_customers set deletion_tried_at = clock_time()
    where user_id in (select user_id from card_customers join users on users.id = user_id
                       where users.deleted_at is not null
                       order by deletion_tried_at nulls first limit $1 for update of card_customers skip locked)
   returning user_id, customer_id`,
)
const removeCustomer = query<never, [userId: string]>(
  'card_customer_remove',
  'delete from card_customers where user_id = $1',
)

const DELETED_MAX = 100

/**
 * Returns the provider's customer of a buyer, null for a deleted user. The provider's fraud detection compares its email and
 * name, and cards are saved on it. A customer whose buyer has changed email or name is updated first. A purchase does not fail
 * because the provider cannot create or update one, such as with a restricted key that may not.
 */
export async function customerOf(context: Cards, userId: string): Promise<string | null> {
  const [buyer] = await buyerOf(context.database, userId)
  if (buyer === undefined) return null
  return buyer.is_current ? buyer.customer_id : syncCustomer(context, userId, buyer)
}

/** Replaces the customer of a buyer if it was deleted at the provider, where its saved cards were deleted with it. */
export async function replaceDeletedCustomer(context: Cards, userId: string): Promise<void> {
  const [buyer] = await buyerOf(context.database, userId)
  if (buyer !== undefined) await syncCustomer(context, userId, buyer)
}

/** Updates the buyer's customer at the provider, and creates another when there is none. Returns its id. */
async function syncCustomer(
  { database, cards }: Cards,
  userId: string,
  buyer: BuyerRow,
): Promise<string | null> {
  const { name, email, created_on: createdOn, details_hash: hash, customer_id: before } = buyer
  const details = { userId, name, email, createdOn }
  try {
    const exists = before !== null && (await cards.updateCustomer(before, details))
    const id = exists ? before : await cards.createCustomer(details, before)
    await storeCustomer(database, userId, id, hash, before)
    return id
  } catch (error) {
    if (error instanceof StoredFailure || error instanceof MissingPermission) return before
    throw error
  }
}

/**
 * Deletes the customers of deleted users at the provider, with their saved cards. Their payments stay there. One that fails
 * is retried by the next run. @throws AggregateError.
 */
export async function deleteCustomers({ database, cards }: Cards): Promise<void> {
  await processEach(await claimDeleted(database, DELETED_MAX), async ({ user_id, customer_id }) => {
    await cards.deleteCustomer(customer_id)
    await removeCustomer(database, user_id)
  })
}
