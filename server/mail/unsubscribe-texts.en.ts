import type { EmailCategory } from './preferences.ts'

/** The texts of the page that optional emails link to. */
export const UNSUBSCRIBE_TEXTS = {
  invalid: 'This link is not valid',
  instead: 'Choose the emails you receive in your profile instead.',
  question: 'Unsubscribe?',
  button: 'Unsubscribe',
  done: 'Unsubscribed',
}

/** What unsubscribing from each category means. */
export const UNSUBSCRIBE_EFFECTS: Record<EmailCategory, string> = {
  workReceived:
    'You will no longer receive emails about work on your tasks, appeals, reviews of rejections and their deadlines.',
  workDecided:
    'You will no longer receive emails about decisions on your work, revisions, reviews of rejections, bonuses and your deadlines.',
  payouts: 'You will no longer receive emails about your withdrawals and about freezes of your account.',
}
