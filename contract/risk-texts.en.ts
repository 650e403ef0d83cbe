import { coinsText, dollarsText } from './amounts.en.ts'
import type { RiskReasonKind, RiskReasonParams } from './risk.ts'

/** The sentence of each reason of a risk score. Screens list its users below it. */
export const RISK_TEXTS: { [Kind in RiskReasonKind]: (params: RiskReasonParams<Kind>) => string } = {
  closed_circle: ({ percent }) =>
    `${percent}% of the coins come from buyers who pay almost nobody but this worker.`,
  few_workers: ({ percent }) =>
    `${percent}% of the coins come from buyers who pay almost nobody but three workers, one of them this one.`,
  dependent_workers: ({ percent }) =>
    `${percent}% of the coins come from buyers whose workers earn almost nothing from others.`,
  exclusive_tasks: ({ percent }) =>
    `${percent}% of the coins come from tasks on which only the few workers whom these buyers pay most were paid.`,
  free_coins: ({ percent }) => `${percent}% of the coins began as starting coins.`,
  own_purchase: ({ percent }) => `The worker bought ${percent}% of the coins.`,
  middleman: ({ percent }) => `${percent}% of the coins were earned by users who later became buyers.`,
  disputed: ({ percent, cents }) =>
    `${percent}% of the coins come from users with disputed card payments (${dollarsText(cents)}).`,
  fraud_warning: ({ percent }) =>
    `${percent}% of the coins come from users with a fraud warning of the card network.`,
  refunded: ({ percent, cents }) =>
    `${percent}% of the coins come from users whose card payments were refunded (${dollarsText(cents)}).`,
  shared_card: ({ percent }) =>
    `${percent}% of the coins come from users whose card paid for other accounts too.`,
  card_limits: ({ percent }) =>
    `${percent}% of the coins come from users who reached the limits of card purchases in the last 90 days.`,
  shared_destination: ({ others }) =>
    others === 1
      ? 'One other user is paid to this account.'
      : `${others} other users are paid to this account.`,
  shared_holder: ({ others }) =>
    others === 1
      ? 'The account holder also has an account of one other user.'
      : `The account holder also has accounts of ${others} other users.`,
  linked_frozen: () => 'A user who paid these coins, or shares the payout account, is frozen.',
  high_rewards: ({ percent, coins, usual }) =>
    `${percent}% of the coins come from unusually high rewards, up to ${coinsText(coins)}; ${coinsText(usual)} is usual.`,
  new_accounts: ({ percent, worker }) => {
    const payers = `payers of ${percent}% of the coins`
    if (percent === 0) return 'The worker joined within a week.'
    return worker
      ? `The worker joined within a week, and so did the ${payers}.`
      : `The ${payers} joined within a week.`
  },
  shared_network: ({ others, sameDevice }) =>
    `The worker and a payer used the same network${sameDevice ? ' and the same kind of device' : ''}, which ${others} users have.`,
}

/** Returns the sentence of a reason. Its parameters were checked when the response was read. */
export function riskText({ kind, params }: { kind: RiskReasonKind; params: unknown }): string {
  return (RISK_TEXTS[kind] as (params: unknown) => string)(params)
}
