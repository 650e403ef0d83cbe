import { query } from '#server/database/database.ts'
import { StoredFailure } from './provider.ts'
import type { Cards } from './settle.ts'

const buyerOf = query<{ name: string; email: string; customer_id: string | null }, [userId: string]>(
  'card_customer_of_user',
  `select users.name, users.email, card_customers.customer_id
     from users left join card_customers on card_customers.user_id = users.id
    where users.id = $1 and users.deleted_at is null`,
)
const storeCustomer = query<never, [userId: string, customerId: string]>(
  'card_customer_store',
  `insert into card_customers (user_id, customer_id) values ($1, $2) on conflict (user_id) do nothing`,
)
/** Claims customers of deleted users, those first that were not tried or longest ago. */
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
 * Returns the provider's customer of a buyer, by whose email and name its fraud detection compares payments, and whose cards are
 * saved; null for a deleted user. A purchase does not fail because the provider cannot create one.
 */
export async function customerOf({ database, cards }: Cards, userId: string): Promise<string | null> {
  const [buyer] = await buyerOf(database, userId)
  if (buyer === undefined || buyer.customer_id !== null) return buyer?.customer_id ?? null
  try {
    const id = await cards.createCustomer({ userId, name: buyer.name, email: buyer.email })
    await storeCustomer(database, userId, id)
    return id
  } catch (error) {
    if (error instanceof StoredFailure) return null
    throw error
  }
}

/**
 * Deletes the customers of deleted users at the provider, with their saved cards. Their payments stay there. One that fails does not
 * stop the others and is tried again by the next run. @throws AggregateError.
 */
export async function deleteCustomers({ database, cards }: Cards): Promise<void> {
  const failures: unknown[] = []
  for (const { user_id: userId, customer_id: customerId } of await claimDeleted(database, DELETED_MAX)) {
    try {
      await cards.deleteCustomer(customerId)
      await removeCustomer(database, userId)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, 'Customers of deleted users could not be deleted')
}
