import { query } from '#server/database/database.ts'
import { decideWithdrawal } from '#server/payouts/decide-withdrawal.ts'
import { deleteUser } from '#server/users/delete.ts'
import { setReviewer } from '#server/users/update-role.ts'
import { requestWithdrawal } from '#server/withdrawals/request.ts'
import type { UserOperation } from './operation.ts'
import { doneIf, NOBODY, type Result } from './result.ts'
import type { World } from './world.ts'

const CLIENT = { network: '', device: '' }

// As a purchase is credited: nothing for a deleted user, also in the same moment.
const buyCoins = query<never, [user: string, coins: number]>(
  'model_buy_coins',
  `with buyer as (select account_id from users where id = $1 and deleted_at is null for share)
   select transfer('coins_bought', gen_random_uuid(), card_clearing_account(), account_id, $2) from buyer`,
)

/** Runs an operation on users and their coins through the use cases of the product. */
export async function performOnUser(world: World, operation: UserOperation): Promise<Result> {
  const { database, config, admin } = world
  switch (operation.do) {
    case 'withdraw': {
      const wish = { coins: operation.coins, system: 'Other', accountNumber: 'By hand' } as const
      const made = await requestWithdrawal(database, config, world.user(operation.who), wish, {})
      return { outcome: 'done', made }
    }
    case 'decide-withdrawal': {
      const decision = operation.approve
        ? ({ status: 'approved' } as const)
        : ({ status: 'declined', reason: 'Wrong number' } as const)
      const id = world.withdrawals[operation.withdrawal] ?? NOBODY
      return doneIf(await decideWithdrawal(database, id, admin.id, decision, {}))
    }
    case 'delete-user':
      return doneIf(await deleteUser(database, world.user(operation.who).id, admin.id))
    case 'set-reviewer': {
      const { who, value } = operation
      return doneIf(await setReviewer(database, world.user(who).id, { isReviewer: value }, admin.id, CLIENT))
    }
    case 'buy':
      return doneIf((await buyCoins(database, world.user(operation.who).id, operation.coins)).length)
  }
}
