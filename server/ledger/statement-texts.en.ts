/** What the text of a line depends on: the task's title, and the coins, which are negative for debits. */
export type StatementParams = { title: string | null; coins: number }

/** The description of each kind of transfer in a coin statement. */
export const STATEMENT_TEXTS: Record<string, (line: StatementParams) => string> = {
  sign_up_bonus: () => 'Starting coins',
  task_funded: ({ title }) => `Reserved for "${title}"`,
  task_topped_up: ({ title }) => `Reserved for added slots of "${title}"`,
  task_reopened: ({ title }) => `Reserved to reopen "${title}"`,
  task_fee: ({ title }) => `Fee for "${title}"`,
  submission_paid: ({ title }) => `Earned for "${title}"`,
  slot_reopened: ({ title }) => `Reserved for another slot of "${title}"`,
  reversal_funded: ({ title }) => `Paid for rejected work on "${title}" that you approved later`,
  bonus_paid: ({ title }) => `Bonus for "${title}"`,
  slot_refunded: ({ title }) => `Refund for a slot of "${title}"`,
  task_refunded: ({ title }) => `Refund for "${title}"`,
  coins_bought: () => 'Coins bought by card',
  card_reversed: ({ coins }) => (coins < 0 ? 'Card payment reversed' : 'Card payment restored'),
  debt_paid: () => 'Paid towards a reversed card payment',
  withdrawal_held: () => 'Reserved for a withdrawal',
  withdrawal_released: () => 'Returned from a withdrawal',
  swept_to_platform: () => 'Moved to the platform account',
}

/** The kinds of transfers in summaries, where a task has no name. */
export const SUMMARY_TEXTS: Record<string, string> = {
  task_funded: 'Reserved for tasks',
  task_topped_up: 'Reserved for added slots',
  task_reopened: 'Reserved to reopen tasks',
  task_fee: 'Fees for tasks',
  submission_paid: 'Earned for work',
  slot_reopened: 'Reserved for other slots',
  reversal_funded: 'Paid for rejected work that was approved later',
  bonus_paid: 'Bonuses',
  slot_refunded: 'Refunds for slots',
  task_refunded: 'Refunds for tasks',
}
