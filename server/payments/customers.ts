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
const customersOfDeleted = query<{ user_id: string; customer_id: string }, [count: number]>(
  'card_customers_of_deleted_users',
  `select user_id, customer_id from card_customers
    where exists (select from users where users.id = user_id and deleted_at is not null) limit $1`,
)
const removeCustomer = query<never, [userId: string]>(
  'card_customer_remove',
  'delete from card_customers where user_id = $1',
)

const DELETED_MAX = 100

/**
 * Returns the provider's customer of a buyer, by whose email and name its fraud detection compares payments; null in the sandbox.
 * A purchase does not fail because the provider cannot create one.
 */
export async function customerOf({ database, cards }: Cards, userId: string): Promise<string | null> {
  const [buyer] = await buyerOf(database, userId)
  if (buyer === undefined || buyer.customer_id !== null) return buyer?.customer_id ?? null
  try {
    const id = await cards.createCustomer({ userId, name: buyer.name, email: buyer.email })
    if (id !== null) await storeCustomer(database, userId, id)
    return id
  } catch (error) {
    if (error instanceof StoredFailure) return null
    throw error
  }
}

/** Deletes the customers of deleted users at the provider. Their payments stay there. */
export async function deleteCustomers({ database, cards }: Cards): Promise<void> {
  for (const { user_id: userId, customer_id: customerId } of await customersOfDeleted(
    database,
    DELETED_MAX,
  )) {
    await cards.deleteCustomer(customerId)
    await removeCustomer(database, userId)
  }
}
